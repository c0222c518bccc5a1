/** /invite?code=: joins an organisation as staff. */
import { Button, Group, Loader, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { membershipsQuery, organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { orgTexts } from '~/features/orgs/texts.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { useSignOut } from '~/features/session/sign-out.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { inviteQuery } from '../api/member-queries.ts';
import { memberTexts } from '../texts.ts';

export function InvitePage() {
  const { code } = useSearch({ from: '/private/invite' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const profile = useQuery(profileQuery);
  const email = profile.data?.email ?? '';
  const invite = useQuery({ ...inviteQuery(code, email), enabled: code !== '' && email !== '' });

  if (code === '' || invite.isError || invite.data?.accepted === false) {
    return (
      <TaskPage title={memberTexts.rejected} lead={memberTexts.rejectedBecause(email)}>
        <Group>
          <Button variant="default" onClick={() => void signOut()}>
            {orgTexts.logout}
          </Button>
        </Group>
      </TaskPage>
    );
  }
  if (invite.data === undefined) {
    return (
      <TaskPage title="Checking your invitation">
        <Group gap="sm" role="status" wrap="nowrap">
          <Loader size="sm" aria-hidden />
          <Text c="dimmed">{memberTexts.waiting}</Text>
        </Group>
      </TaskPage>
    );
  }
  const { orgId } = invite.data;
  const enter = async () => {
    // The memberships in memory are from before the invitation (C-31).
    client.removeQueries({ queryKey: organisationsQuery.queryKey });
    await client.fetchQuery({ ...membershipsQuery, staleTime: 0 }).catch(() => undefined);
    await navigate({ to: '/org/$orgId/home', params: { orgId } });
  };
  return (
    <TaskPage title={memberTexts.accepted} lead={memberTexts.waiting}>
      <Group>
        <Button onClick={() => void enter()}>{memberTexts.toDashboard}</Button>
      </Group>
    </TaskPage>
  );
}
