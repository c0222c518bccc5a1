/** What a report shows around its numbers: the way back, the range, failures, and what does not exist. */
import { Button } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { statusOf } from '@vitrine/api';
import type { ReactNode } from 'react';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { BackLink } from '~/shared/ui/back-link.tsx';
import { Outdated } from '~/shared/ui/outdated.tsx';
import { Page } from '~/shared/ui/page.tsx';
import { EmptyState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { olderFigures } from '../older.ts';
import { type Range, rangeOf } from '../ranges.ts';
import type { ReportSearch } from '../search.ts';
import { analyticsTexts } from '../texts.ts';
import { LimitedNotice } from './limited-notice.tsx';
import { LoadNotice } from './load-notice.tsx';
import { RangeSelect } from './range-select.tsx';

interface ReportStateProps {
  /** Undefined while loading. */
  title: string | undefined;
  /** Beside the title. */
  about?: ReactNode;
  actions?: ReactNode;
  query: { isError: boolean; isPaused: boolean; isFetching: boolean; error: unknown; refetch: () => unknown };
  /** The last numbers that loaded, and their range. */
  kept: { value: { limitedFrom?: string | null | undefined }; tag: Range } | undefined;
  range: Range;
  children: ReactNode;
}

export function ReportState({ title, about, actions, query, kept, range, children }: ReportStateProps) {
  const { orgId, timeZone } = useCurrentOrg();
  const navigate = useNavigate();
  const older = olderFigures(kept?.tag, range);
  if (query.isError && statusOf(query.error) === 404) return <Missing />;
  return (
    <Page
      title={title ?? analyticsTexts.analytics}
      actionsBelow
      above={<BackLink to={`/org/${orgId}/analytics`} label={analyticsTexts.back} />}
      actions={
        <>
          {actions}
          <RangeSelect
            value={range}
            onChange={(value) =>
              void navigate({ to: '.', search: value === null ? {} : { range: value }, replace: true })
            }
          />
        </>
      }
    >
      {about}
      <LimitedNotice answers={[kept?.value]} timeZone={timeZone} />
      <LoadNotice query={query} older={older} />
      <Outdated when={query.isFetching && older !== undefined}>
        {(kept !== undefined || !query.isError) && children}
      </Outdated>
    </Page>
  );
}

/** Returns the range in the URL of a report. */
export function useRange(): Range {
  const { range }: ReportSearch = useSearch({ strict: false });
  return rangeOf(range);
}

function Missing() {
  const { orgId } = useCurrentOrg();
  return (
    <Page title={analyticsTexts.analytics}>
      <Surface>
        <EmptyState
          icon={IconChartBar}
          title={analyticsTexts.missing}
          hint={analyticsTexts.missingHint}
          action={
            <Button component={Link} to={`/org/${orgId}/analytics`} variant="default">
              {analyticsTexts.back}
            </Button>
          }
        />
      </Surface>
    </Page>
  );
}
