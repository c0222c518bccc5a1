/** Details of one lead: who it is, why it has its score, what it watches most, and what it did in the last 28 days. */
import { Modal, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { messageOf, statusOf } from '@vitrine/api';
import { RecentActivity } from '~/features/members/parts/recent-activity.tsx';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { useReturnFocus } from '~/shared/lib/return-focus.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { leadProfilesQuery, leadQuery } from '../api/lead-queries.ts';
import type { Lead } from '../model.ts';
import { leadTexts } from '../texts.ts';
import { LeadCharts } from './lead-charts.tsx';
import classes from './lead-modal.module.css';
import { LeadPerson } from './lead-person.tsx';
import { LeadReasons } from './lead-reasons.tsx';
import { leadDetailTexts } from './texts.ts';
import { TopList } from './top-list.tsx';

interface LeadModalProps {
  userId: string;
  /** The lead as the list has it, if it is in the list. */
  known: Lead | undefined;
  onClose: () => void;
}

export function LeadModal({ userId, known, onClose }: LeadModalProps) {
  const { orgId } = useCurrentOrg();
  useReturnFocus();
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const detail = useQuery(leadQuery(orgId, userId));
  const profiles = useQuery({ ...leadProfilesQuery(orgId, [userId]), enabled: known?.profile === undefined });
  const profile = known?.profile ?? profiles.data?.get(userId);
  const lead = detail.data?.lead ?? known;
  const gone = lead === undefined && detail.isError && statusOf(detail.error) === 404;
  return (
    <Modal
      opened
      onClose={onClose}
      title={leadTexts.lead}
      size={920}
      fullScreen={narrow}
      radius={narrow ? 0 : 'xl'}
      classNames={{ body: classes.body ?? '' }}
    >
      {gone ? (
        <Text c="dimmed">{leadDetailTexts.notFound}</Text>
      ) : lead === undefined && detail.isError ? (
        <ErrorState message={messageOf(detail.error)} onRetry={() => void detail.refetch()} />
      ) : (
        <div className={classes.columns}>
          <LeadPerson lead={lead} profile={profile} query={profiles} />
          <div className={classes.main}>
            <LeadReasons query={detail} />
            <div className={classes.tops}>
              <TopList kind="playlists" userId={userId} />
              <TopList kind="content" userId={userId} />
            </div>
            <LeadCharts userId={userId} />
            <RecentActivity orgId={orgId} userId={userId} />
          </div>
        </div>
      )}
    </Modal>
  );
}
