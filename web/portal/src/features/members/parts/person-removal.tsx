/** Removes a person from the organisation, and keeps one who left from rejoining. */
import { Button, Checkbox } from '@mantine/core';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import type { UserOut } from '@vitrine/api';
import { Suspense, useState } from 'react';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { useRemovePerson, useSetBlocked } from '../api/member-mutations.ts';
import { hasLeft, lockOf, personName } from '../model.ts';
import { memberTexts } from '../texts.ts';

const ConfirmDialog = lazyPart(() => import('~/shared/ui/confirm-dialog.tsx'), 'ConfirmDialog');

interface PersonRemovalProps {
  person: UserOut;
  /** Called after the removal, and after the person was blocked or unblocked. */
  onDone: () => void;
}

/** Renders nothing for people whom the caller may not remove. */
export function PersonRemoval({ person, onDone }: PersonRemovalProps) {
  const { role } = useCurrentOrg();
  const profile = useQuery(profileQuery);
  if (hasLeft(person)) return <Rejoining person={person} onDone={onDone} />;
  const lock = lockOf(person, { userId: profile.data?.uid ?? '', role });
  const { membershipId } = person;
  if (lock !== null || typeof membershipId !== 'string') return null;
  return <Removal person={person} membershipId={membershipId} onDone={onDone} />;
}

function Rejoining({ person, onDone }: PersonRemovalProps) {
  const { orgId } = useCurrentOrg();
  const setBlocked = useSetBlocked(orgId, !person.blocked);
  return (
    <Button
      variant="default"
      size="xs"
      loading={setBlocked.isPending}
      onClick={() => setBlocked.mutate(person.userId, { onSuccess: onDone })}
    >
      {person.blocked ? memberTexts.unblock : memberTexts.block}
    </Button>
  );
}

function Removal({ person, membershipId, onDone }: PersonRemovalProps & { membershipId: string }) {
  const { orgId, name: org } = useCurrentOrg();
  const remove = useRemovePerson(orgId);
  const changing = useIsMutating() > 0;
  const [asked, setAsked] = useState(false);
  const [block, setBlock] = useState(false);
  const ask = () => {
    setBlock(false);
    setAsked(true);
  };
  const removeNow = () =>
    remove.mutate(
      { userId: person.userId, membershipId, block },
      { onSuccess: onDone, onSettled: () => setAsked(false) },
    );
  return (
    <>
      {/* Not while the role is being changed: the change could arrive after the removal. */}
      <Button variant="light" color="red" size="xs" disabled={changing && !asked} onClick={ask}>
        {memberTexts.remove}
      </Button>
      <Suspense>
        {asked && (
          <ConfirmDialog
            opened
            action={memberTexts.remove}
            busy={remove.isPending}
            onConfirm={removeNow}
            onClose={() => setAsked(false)}
          >
            {memberTexts.removeQuestion(personName(person), org)}
            <Checkbox
              mt="md"
              label={memberTexts.block}
              checked={block}
              onChange={(event) => setBlock(event.currentTarget.checked)}
            />
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  );
}
