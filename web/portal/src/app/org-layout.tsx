/** Wraps every screen of an organisation: checks membership and policy, and selects the organisation in this tab. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useChildMatches, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { membershipsQuery } from '~/features/orgs/api/org-queries.ts';
import { CurrentOrgProvider } from '~/features/orgs/current-org.tsx';
import { staffMemberships } from '~/features/orgs/memberships.ts';
import { allows } from '~/features/orgs/roles.ts';
import { selectOrganisation } from '~/features/orgs/selection.ts';
import { NotFoundPage } from './shell/not-found-page.tsx';

/** Shows the 404 page unless the person is staff of the organisation; otherwise selects it. */
export function OrgLayout() {
  const { orgId } = useParams({ from: '/private/shell/org/$orgId' });
  const client = useQueryClient();
  const memberships = useQuery(membershipsQuery);
  const membership = staffMemberships(memberships.data ?? []).find(({ organisation }) => organisation.uid === orgId);
  const policy = useChildMatches({ select: (matches) => matches.at(-1)?.staticData.policy });
  const memberOf = membership?.organisation.uid;

  useEffect(() => {
    if (memberOf === undefined || !selectOrganisation(memberOf)) return;
    // Drop data loaded for another organisation.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === 'org' && queryKey[1] !== memberOf });
  }, [memberOf, client]);

  if (membership === undefined || policy === undefined || !allows(membership.role, policy)) return <NotFoundPage />;
  return (
    <CurrentOrgProvider key={orgId} membership={membership}>
      <Outlet />
    </CurrentOrgProvider>
  );
}
