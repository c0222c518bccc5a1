/** /org/{orgId}/profile: the organisation's settings. */
import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { messageOf } from '@vitrine/api';
import { useState } from 'react';
import { Page } from '~/shared/ui/page.tsx';
import { ErrorState } from '~/shared/ui/state.tsx';
import { organisationQuery } from '../api/org-queries.ts';
import { useCurrentOrg } from '../current-org.tsx';
import { OrganisationForm } from '../parts/organisation-form.tsx';
import { SettingsSkeleton } from '../parts/settings-skeleton.tsx';
import { orgTexts } from '../texts.ts';

export function OrganisationPage() {
  const { orgId } = useCurrentOrg();
  const organisation = useQuery(organisationQuery(orgId));
  // Settings that were read a while ago may have changed; the form keeps those that it opens with.
  const fresh = organisation.isFetchedAfterMount || !organisation.isFetching;
  // They are read again when a link to another screen is pointed at, which must not close the form.
  const [opened, setOpened] = useState<string | null>(null);
  if (organisation.data && fresh && opened !== orgId) setOpened(orgId);
  return (
    <Page
      title={orgTexts.organisation}
      actions={
        <Button
          component={Link}
          to={`/org/${orgId}/audit`}
          variant="default"
          leftSection={<IconHistory size={16} stroke={1.7} />}
        >
          {orgTexts.auditLog}
        </Button>
      }
    >
      {organisation.data && (fresh || opened === orgId) ? (
        <OrganisationForm key={orgId} organisation={organisation.data} />
      ) : organisation.isError ? (
        <ErrorState message={messageOf(organisation.error)} onRetry={() => void organisation.refetch()} />
      ) : (
        <SettingsSkeleton />
      )}
    </Page>
  );
}
