/** Details of one lead: contact data, temperature and recent watch time. */
import { Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { personWatchTimeQuery } from '~/features/analytics/api/analytics-queries.ts';
import { minutesOf } from '~/features/analytics/model.ts';
import { WatchTimeChart } from '~/features/analytics/parts/watch-time-chart.tsx';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { nameOf } from '~/features/profile/model.ts';
import { countryName } from '~/shared/lib/country.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { DetailList } from '~/shared/ui/detail-list.tsx';
import type { Lead } from '../model.ts';
import { leadTexts } from '../texts.ts';
import { LeadType } from './leads-table.tsx';

export function LeadModal({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const { timeZone } = useCurrentOrg();
  const series = useQuery(personWatchTimeQuery(lead.orgId, timeZone, lead.userId));
  const { profile } = lead;
  return (
    <Modal opened onClose={onClose} title={leadTexts.lead} size={680}>
      <Stack gap="md">
        <Group justify="space-between">
          <Text fw={600} fz={18}>
            {profile === undefined ? '' : nameOf(profile)}
          </Text>
          <LeadType lead={lead} />
        </Group>
        <DetailList
          rows={[
            [leadTexts.email, profile?.email ?? ''],
            [commonTexts.phoneNumber, profile?.phoneNumber ?? ''],
            [leadTexts.country, countryName(profile?.country ?? '')],
            [commonTexts.company, profile?.company ?? ''],
            [commonTexts.businessArea, profile?.businessArea ?? ''],
            [commonTexts.jobTitle, profile?.jobTitle ?? ''],
          ]}
        />
        <section>
          <Title order={3} fz={14} mb="xs">
            {leadTexts.watchTime}
          </Title>
          {series.isError ? (
            <Text c="dimmed">{commonTexts.notAvailable}</Text>
          ) : series.data === undefined ? (
            <Skeleton height={180} />
          ) : (
            <WatchTimeChart
              points={minutesOf(series.data, 'days', timeZone)}
              title={leadTexts.watchTime}
              height={180}
            />
          )}
        </section>
      </Stack>
    </Modal>
  );
}
