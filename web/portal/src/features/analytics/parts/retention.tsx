/** How many people watched each part of an item, drawn over its poster. */
import { Skeleton, Text } from '@mantine/core';
import type { ContentAnalyticsOut } from '@vitrine/api';
import { contentKinds } from '~/features/content/model.ts';
import { clock, percent } from '~/shared/lib/format.ts';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { placeOf } from '../model.ts';
import { analyticsTexts } from '../texts.ts';
import { DataTable } from './data-table.tsx';
import classes from './retention.module.css';
import { useReading } from './use-reading.ts';

type Report = Pick<ContentAnalyticsOut, 'kind' | 'retention' | 'previewUrl' | 'durationMs' | 'pages'>;

export function Retention({ report }: { report: Report | undefined }) {
  if (report === undefined) return <Skeleton className={classes.frame ?? ''} height="auto" />;
  const { retention } = report;
  if (report.kind === 'image' || report.kind === 'file')
    return <NoCurve report={report} text={analyticsTexts.retentionWhole} />;
  if (retention.length === 0) return <NoCurve report={report} text={analyticsTexts.retentionUnknown} />;
  const most = Math.max(...retention.map(({ people }) => people));
  if (most <= 0) return <NoCurve report={report} text={analyticsTexts.retentionNone} />;
  return <Curve report={report} most={most} />;
}

/** As high as a curve, so that nothing moves when the numbers load. */
function NoCurve({ report, text }: { report: Report; text: string }) {
  return (
    <div className={classes.frame} data-still>
      <Thumbnail
        src={report.previewUrl}
        kind={report.kind}
        icon={contentKinds[report.kind].icon}
        className={classes.poster ?? ''}
      />
      <Text className={classes.words ?? ''}>{text}</Text>
    </div>
  );
}

/** Units of the drawing, which is stretched over the poster. */
const WIDTH = 1000;
const HEIGHT = 400;
const HEADROOM = 40;

function Curve({ report, most }: { report: Report; most: number }) {
  const { kind, retention, previewUrl } = report;
  const parts = retention.length;
  const { at, current, props } = useReading(parts, (position) => Math.floor(position * parts));
  const x = (part: number) => ((part + 0.5) / parts) * WIDTH;
  const y = (people: number) => HEIGHT - (people / most) * (HEIGHT - HEADROOM);
  const words = (part: number) => {
    const { people, plays } = retention[part] ?? { people: 0, plays: 0 };
    return analyticsTexts.retentionReading(
      placeOf(part, parts, report, clock),
      analyticsTexts.people(people),
      percent(people / most),
      analyticsTexts.plays(plays),
    );
  };
  const line = retention.map(({ people }, part) => `${x(part)} ${y(people)}`).join('L');
  const ends = `M0 ${y(retention[0]?.people ?? 0)}L${line}L${WIDTH} ${y(retention.at(-1)?.people ?? 0)}`;
  return (
    <>
      <div
        className={classes.frame}
        {...props}
        role="slider"
        tabIndex={0}
        aria-label={analyticsTexts.readChart(analyticsTexts.retention)}
        aria-valuemin={0}
        aria-valuemax={parts - 1}
        aria-valuenow={current}
        aria-valuetext={words(current)}
      >
        <Thumbnail src={previewUrl} kind={kind} icon={contentKinds[kind].icon} className={classes.poster ?? ''} />
        <svg className={classes.curve} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={`${ends}V${HEIGHT}H0z`} className={classes.area} />
          <path d={ends} className={classes.line} vectorEffect="non-scaling-stroke" />
          {at !== null && (
            <line x1={x(at)} x2={x(at)} y1={0} y2={HEIGHT} className={classes.mark} vectorEffect="non-scaling-stroke" />
          )}
        </svg>
      </div>
      <Text fz="sm" mt="sm" className="tabular" aria-hidden="true">
        {at !== null ? words(at) : kind === 'pdf' ? analyticsTexts.retentionHintPages : analyticsTexts.retentionHint}
      </Text>
      <DataTable
        caption={analyticsTexts.retention}
        head={[analyticsTexts.part, analyticsTexts.peopleColumn, analyticsTexts.playsColumn]}
        rows={retention.map(({ people, plays }, part) => [
          placeOf(part, parts, report, clock),
          String(people),
          String(plays),
        ])}
      />
    </>
  );
}
