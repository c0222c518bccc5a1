/** The role of a person, saved at once, and the removal of the person. */
import { Button, Checkbox, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf, type Role, type UserOut } from '@vitrine/api';
import { Suspense, useState } from 'react';
import { organisationQuery } from '~/features/orgs/api/org-queries.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { roleLabels } from '~/features/orgs/roles.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { type GivenRole, useChangeRole, useRemovePerson, useSetBlocked } from '../api/member-mutations.ts';
import { hasLeft, isStaffPerson, lockOf, personName } from '../model.ts';
import { memberTexts } from '../texts.ts';

const ConfirmDialog = lazyPart(() => import('~/shared/ui/confirm-dialog.tsx'), 'ConfirmDialog');

interface RoleSelectProps {
  person: UserOut;
  /** Called with the membership that was given. */
  onChanged: (given: GivenRole) => void;
  /** Called after the removal, and after the person was blocked or unblocked. */
  onRemoved: () => void;
}

export function RoleSelect({ person, onChanged, onRemoved }: RoleSelectProps) {
  const { orgId, name: org, role: ownRole } = useCurrentOrg();
  const profile = useQuery(profileQuery);
  const organisation = useQuery(organisationQuery(orgId));
  const change = useChangeRole(orgId);
  const remove = useRemovePerson(orgId);
  const setBlocked = useSetBlocked(orgId, !person.blocked);
  const [block, setBlock] = useState(false);
  const [asked, setAsked] = useState<'demotion' | 'removal' | null>(null);
  const lock = lockOf(person, { userId: profile.data?.uid ?? '', role: ownRole });
  const assignable: readonly Role[] = organisation.data?.assignableRoles ?? [];
  // The current role is an option even if it cannot be given, such as the one super admin of an individual account.
  const options = new Set<Role>([...assignable, person.role, 'user']);
  const name = personName(person);
  const save = (role: Role) =>
    change.mutate({ userId: person.userId, role }, { onSuccess: onChanged, onSettled: () => setAsked(null) });
  const busy = change.isPending || remove.isPending;
  const choose = (role: Role | null) => {
    if (role === null || role === person.role || busy) return;
    if (role === 'user' && isStaffPerson(person)) return setAsked('demotion');
    save(role);
  };
  const removeNow = () => {
    const { membershipId } = person;
    if (typeof membershipId !== 'string') return;
    remove.mutate(
      { userId: person.userId, membershipId, block },
      { onSuccess: onRemoved, onSettled: () => setAsked(null) },
    );
  };
  return (
    <Stack gap="sm">
      <Select
        label={memberTexts.role}
        description={lock ?? (organisation.isError ? messageOf(organisation.error) : null)}
        data={[...options].map((value) => ({ value, label: roleLabels[value] }))}
        value={change.isPending ? change.variables.role : person.role}
        onChange={(value) => choose(value as Role | null)}
        allowDeselect={false}
        disabled={lock !== null || profile.data === undefined || organisation.data === undefined}
        checkIconPosition="right"
      />
      {lock === null && typeof person.membershipId === 'string' && (
        <div>
          <Button
            variant="light"
            color="red"
            size="xs"
            disabled={busy}
            onClick={() => {
              setBlock(false);
              setAsked('removal');
            }}
          >
            {memberTexts.remove}
          </Button>
        </div>
      )}
      {hasLeft(person) && (
        <div>
          <Button
            variant="default"
            size="xs"
            loading={setBlocked.isPending}
            onClick={() => setBlocked.mutate(person.userId, { onSuccess: onRemoved })}
          >
            {person.blocked ? memberTexts.unblock : memberTexts.block}
          </Button>
        </div>
      )}
      <Suspense>
        {asked !== null && (
          <ConfirmDialog
            opened
            action={asked === 'demotion' ? memberTexts.endAccess : memberTexts.remove}
            busy={busy}
            onConfirm={() => (asked === 'demotion' ? save('user') : removeNow())}
            onClose={() => setAsked(null)}
          >
            {asked === 'demotion' ? memberTexts.endAccessQuestion(name, org) : memberTexts.removeQuestion(name, org)}
            {asked === 'removal' && (
              <Checkbox
                mt="md"
                label={memberTexts.block}
                checked={block}
                onChange={(event) => setBlock(event.currentTarget.checked)}
              />
            )}
          </ConfirmDialog>
        )}
      </Suspense>
    </Stack>
  );
}
