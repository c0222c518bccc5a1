/** The next step while there are no leads: the joining link, or where to get one. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { organisationQuery } from '~/features/orgs/api/org-queries.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { LinkField } from '~/shared/ui/link-field.tsx';
import { leadTexts } from '../texts.ts';
import classes from './lead-invite.module.css';

export function LeadInvite() {
  const { orgId, can } = useCurrentOrg();
  const query = useQuery(organisationQuery(orgId));
  if (query.isPending) return <Skeleton height={60} width={320} />;
  const url = query.data?.publicJoinUrl ?? '';
  if (url !== '') {
    return (
      <div className={classes.link}>
        <LinkField label={leadTexts.shareLink} url={url} copied={leadTexts.linkCopied} fileName={leadTexts.linkFile} />
      </div>
    );
  }
  if (!can(policies.organisationUpdate)) return null;
  return (
    <Button component={Link} to={`/org/${orgId}/profile`} variant="default">
      {leadTexts.shareLink}
    </Button>
  );
}
