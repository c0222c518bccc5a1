/** /org/{orgId}/analytics/content/{contentId}: the numbers of one content item. */
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ContentAnalyticsOut } from '@vitrine/api';
import { contentKinds } from '~/features/content/model.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { clock } from '~/shared/lib/format.ts';
import { useKept } from '~/shared/lib/kept.ts';
import { contentReportQuery } from '../api/analytics-queries.ts';
import { Audience } from '../parts/audience.tsx';
import { Days } from '../parts/days.tsx';
import classes from '../parts/report.module.css';
import { ReportState, useRange } from '../parts/report-state.tsx';
import { ReportTiles } from '../parts/report-tiles.tsx';
import { Retention } from '../parts/retention.tsx';
import { Section } from '../parts/section.tsx';
import { analyticsTexts } from '../texts.ts';

export function ContentReportPage() {
  const { contentId } = useParams({ from: '/private/shell/org/$orgId/analytics/content/$contentId' });
  return <Report key={contentId} id={contentId} />;
}

function Report({ id }: { id: string }) {
  const { orgId, timeZone } = useCurrentOrg();
  const range = useRange();
  const query = useQuery(contentReportQuery(orgId, timeZone, id, range));
  const kept = useKept(query.data, range);
  const report = kept?.value;
  return (
    <ReportState title={report?.title} about={<About report={report} />} query={query} kept={kept} range={range}>
      <ReportTiles report={report} withShare />
      <Section title={analyticsTexts.retention}>
        <Retention report={report} />
      </Section>
      <div className={classes.below}>
        <Days report={report} timeZone={timeZone} />
      </div>
      <Audience report={report} />
    </ReportState>
  );
}

/** Kind and length. */
function About({ report }: { report: ContentAnalyticsOut | undefined }) {
  if (report === undefined) return <div className={classes.about} />;
  const { icon: Icon, label } = contentKinds[report.kind];
  const length =
    typeof report.durationMs === 'number'
      ? clock(report.durationMs)
      : typeof report.pages === 'number'
        ? analyticsTexts.pages(report.pages)
        : '';
  return (
    <Group gap={6} className={classes.about ?? ''}>
      <Icon size={16} stroke={1.7} aria-hidden />
      <Text c="dimmed" fz="sm" className="tabular">
        {[label, length].filter(Boolean).join(' · ')}
      </Text>
    </Group>
  );
}
