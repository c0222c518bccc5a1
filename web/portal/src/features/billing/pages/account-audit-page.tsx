/** /billing/{accountId}/audit: who changed what of a billing account. */
import { Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { AuditLog } from '~/features/audit/parts/audit-log.tsx';
import { auditTexts } from '~/features/audit/texts.ts';
import { orgTexts } from '~/features/orgs/texts.ts';
import { BackLink } from '~/shared/ui/back-link.tsx';
import { Page } from '~/shared/ui/page.tsx';
import { accountAuditQuery } from '../api/account-queries.ts';
import { accountsQuery } from '../api/billing-queries.ts';
import { billingTexts } from '../texts.ts';

export function AccountAuditPage() {
  const { accountId } = useParams({ from: '/private/shell/billing/$accountId/audit' });
  const accounts = useQuery(accountsQuery);
  const name = accounts.data?.accounts.find(({ uid }) => uid === accountId)?.friendlyName;
  const query = useInfiniteQuery(accountAuditQuery(accountId));
  return (
    <Page title={orgTexts.auditLog} above={<BackLink to="/billing" label={billingTexts.backToBilling} />}>
      <Text c="dimmed" fz="sm" mb="md">
        {name === undefined ? auditTexts.hint : `${name} · ${auditTexts.hint}`}
      </Text>
      <AuditLog query={query} />
    </Page>
  );
}
