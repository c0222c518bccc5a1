/** /org/{orgId}/analytics/playlists/{playlistId}: the numbers of one playlist. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { useKept } from '~/shared/lib/kept.ts';
import { playlistReportQuery } from '../api/analytics-queries.ts';
import { Audience } from '../parts/audience.tsx';
import { Days } from '../parts/days.tsx';
import { RankList } from '../parts/rank-list.tsx';
import classes from '../parts/report.module.css';
import { ReportState, useRange } from '../parts/report-state.tsx';
import { ReportTiles, shareText } from '../parts/report-tiles.tsx';
import { Section } from '../parts/section.tsx';
import { analyticsTexts } from '../texts.ts';

export function PlaylistReportPage() {
  const { playlistId } = useParams({ from: '/private/shell/org/$orgId/analytics/playlists/$playlistId' });
  return <Report key={playlistId} id={playlistId} />;
}

function Report({ id }: { id: string }) {
  const { orgId, timeZone } = useCurrentOrg();
  const range = useRange();
  const query = useQuery(playlistReportQuery(orgId, timeZone, id, range));
  const kept = useKept(query.data, range);
  const report = kept?.value;
  return (
    <ReportState
      title={report?.title}
      actions={
        <Button component={Link} to={`/org/${orgId}/playlists/${id}`} variant="default">
          {analyticsTexts.openPlaylist}
        </Button>
      }
      query={query}
      kept={kept}
      range={range}
    >
      <ReportTiles report={report} />
      <Days report={report} timeZone={timeZone} />
      <div className={classes.below}>
        <Section title={analyticsTexts.content}>
          <RankList
            label={analyticsTexts.content}
            linkTo={(item) => `/org/${orgId}/analytics/content/${item}`}
            rows={report?.content.map(({ finishRate, ...item }) => ({
              ...item,
              more: analyticsTexts.finished(shareText(finishRate)),
            }))}
          />
        </Section>
      </div>
      <Audience report={report} />
    </ReportState>
  );
}
