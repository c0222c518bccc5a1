/** Deletes organisations of the billing accounts, and lists those that can be restored. */
import { Box, Button } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { deletedOrganisationsQuery } from '~/features/orgs/api/deletion-queries.ts';
import { organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { DeletedOrganisations } from '~/features/orgs/parts/deleted-organisations.tsx';
import { deletionTexts } from '~/features/orgs/parts/texts.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { accountsQuery, purchasesQuery } from '../api/billing-queries.ts';

const DeleteOrganisation = lazyPart(
  () => import('~/features/orgs/parts/delete-organisation.tsx'),
  'DeleteOrganisation',
);

export function OrganisationDeletion() {
  const [asking, setAsking] = useState(false);
  const accounts = useQuery(accountsQuery).data?.accounts ?? [];
  const purchases = useQueries({ queries: accounts.map(({ uid }) => purchasesQuery(uid)) });
  const known = useQuery(organisationsQuery).data ?? [];
  const paid = new Set(purchases.flatMap(({ data }) => data ?? []).map(({ orgId }) => orgId));
  const own = known.filter(({ uid }) => paid.has(uid));
  // The button is below the list.
  const isKnown = useQuery(deletedOrganisationsQuery).isFetched;
  return (
    <>
      <DeletedOrganisations />
      {isKnown && own.length > 0 && (
        <Box mt="md">
          <Button variant="subtle" color="red" size="xs" onClick={() => setAsking(true)}>
            {deletionTexts.deleteOrganisation}
          </Button>
        </Box>
      )}
      <Suspense>{asking && <DeleteOrganisation organisations={own} onClose={() => setAsking(false)} />}</Suspense>
    </>
  );
}
