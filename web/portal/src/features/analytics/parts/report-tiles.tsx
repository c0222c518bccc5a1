/** The figures of an item: views, viewers, watch time and how far people watched. */
import type { ContentAnalyticsOut } from '@vitrine/api';
import { count, exactMinutes, percent } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { changeOf } from '../change.ts';
import { analyticsTexts } from '../texts.ts';
import classes from './report.module.css';
import { TrendTile } from './trend-tile.tsx';

type Report = Pick<
  ContentAnalyticsOut,
  'views' | 'uniques' | 'watchTimeMs' | 'previous' | 'previousLimitedFrom' | 'finishRate' | 'averageShare'
>;

interface ReportTilesProps {
  report: Report | undefined;
  /** Playlists have no average share. */
  withShare?: boolean;
}

export function ReportTiles({ report, withShare = false }: ReportTilesProps) {
  const shown = (text: (report: Report) => string) => (report === undefined ? undefined : text(report));
  const change = (key: 'views' | 'watchTimeMs') =>
    report && changeOf(report[key], report.previous[key], analyticsTexts.before, report.previousLimitedFrom);
  return (
    <div className={classes.tiles}>
      <TrendTile label={analyticsTexts.viewsTile} value={shown(({ views }) => count(views))} note={change('views')} />
      <TrendTile
        label={analyticsTexts.uniques}
        value={shown(({ uniques }) => count(uniques))}
        note={analyticsTexts.uniquesHint}
      />
      <TrendTile
        label={analyticsTexts.watchTime}
        value={shown(({ watchTimeMs }) => commonTexts.minutes(exactMinutes(watchTimeMs)))}
        note={change('watchTimeMs')}
      />
      {withShare && (
        <TrendTile
          label={analyticsTexts.averageShare}
          value={shown(({ averageShare }) => shareText(averageShare))}
          note={analyticsTexts.averageShareHint}
        />
      )}
      <TrendTile
        label={analyticsTexts.finishRate}
        value={shown(({ finishRate }) => shareText(finishRate))}
        note={analyticsTexts.finishRateHint}
      />
    </div>
  );
}

/** A share that is not known shows N/A. */
export function shareText(share: number | null | undefined): string {
  return typeof share === 'number' ? percent(share) : commonTexts.notAvailable;
}
