/** /invite?code=: joins an organisation as staff. */
import { Button, Group, Loader, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { statusOf } from '@vitrine/api';
import { useEffect, useState } from 'react';
import { membershipsQuery, organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { orgTexts } from '~/features/orgs/texts.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { failureOf } from '~/features/session/model.ts';
import { useSignOut } from '~/features/session/sign-out.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { inviteQuery } from '../api/member-queries.ts';
import { memberTexts } from '../texts.ts';

/** A check takes up to ten seconds; after this time, offer to try again. */
const LONG_MS = 15_000;

export function InvitePage() {
  const { code } = useSearch({ from: '/private/invite' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const profile = useQuery(profileQuery);
  const email = profile.data?.email ?? '';
  const invite = useQuery({ ...inviteQuery(code, email), enabled: code !== '' && email !== '' });

  // Without the profile, the email cannot be compared.
  const asked = profile.data === undefined ? profile : invite;
  const { queryKey } = profile.data === undefined ? profileQuery : inviteQuery(code, email);
  const again = async () => {
    // Cancel a hanging request, or the refetch would wait for it.
    await client.cancelQueries({ queryKey });
    await asked.refetch();
  };
  // Only a dead link is a rejection; anything else may be settled and tried again.
  if (asked.isError && (profile.data === undefined || statusOf(asked.error) !== 404)) {
    return <NotChecked message={failureOf(asked.error)} busy={asked.isFetching} onRetry={() => void again()} />;
  }
  if (profile.data !== undefined && (code === '' || invite.isError || invite.data?.accepted === false)) {
    return (
      <TaskPage title={memberTexts.rejected} lead={memberTexts.rejectedBecause(email)}>
        <LogOut code={code} />
      </TaskPage>
    );
  }
  if (!invite.data?.accepted) return <Checking onRetry={() => void again()} />;
  const { orgId } = invite.data;
  const enter = async () => {
    // The cached memberships are from before the invitation.
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

/** Signs out so that the invited account can sign in; the link is opened again afterwards. */
function LogOut({ code }: { code: string }) {
  const signOut = useSignOut();
  const leave = () => signOut(code === '' ? undefined : `/invite?code=${encodeURIComponent(code)}`);
  return (
    <Group>
      <Button variant="default" onClick={() => void leave()}>
        {orgTexts.logout}
      </Button>
    </Group>
  );
}

/** The invitation could not be checked, so it is neither accepted nor rejected. */
function NotChecked({ message, busy, onRetry }: { message: string; busy: boolean; onRetry: () => void }) {
  return (
    <TaskPage title={memberTexts.notChecked}>
      <Text role="alert">{message}</Text>
      <Group>
        <Button loading={busy} onClick={onRetry}>
          {commonTexts.tryAgain}
        </Button>
      </Group>
    </TaskPage>
  );
}

/** Offers a retry after a while, in case the server does not respond. */
function Checking({ onRetry }: { onRetry: () => void }) {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <TaskPage title={memberTexts.checking}>
      <Group gap="sm" role="status" wrap="nowrap">
        <Loader size="sm" aria-hidden />
        <Text c="dimmed">{long ? memberTexts.takesLong : memberTexts.waiting}</Text>
      </Group>
      {long && (
        <Group>
          <Button variant="default" onClick={onRetry}>
            {commonTexts.tryAgain}
          </Button>
        </Group>
      )}
    </TaskPage>
  );
}
