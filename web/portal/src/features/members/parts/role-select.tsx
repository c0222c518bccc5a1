/** The role of a person, saved at once. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf, type Role, type UserOut } from '@vitrine/api';
import { Suspense, useState } from 'react';
import { organisationQuery } from '~/features/orgs/api/org-queries.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { roleLabels } from '~/features/orgs/roles.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { type GivenRole, useChangeRole } from '../api/member-mutations.ts';
import { isStaffPerson, lockOf, personName } from '../model.ts';
import { memberTexts } from '../texts.ts';

const ConfirmDialog = lazyPart(() => import('~/shared/ui/confirm-dialog.tsx'), 'ConfirmDialog');

interface RoleSelectProps {
  person: UserOut;
  /** Called with the membership that was given. */
  onChanged: (given: GivenRole) => void;
}

export function RoleSelect({ person, onChanged }: RoleSelectProps) {
  const { orgId, name: org, role: ownRole } = useCurrentOrg();
  const profile = useQuery(profileQuery);
  const organisation = useQuery(organisationQuery(orgId));
  const change = useChangeRole(orgId);
  const [ending, setEnding] = useState(false);
  const lock = lockOf(person, { userId: profile.data?.uid ?? '', role: ownRole });
  const assignable: readonly Role[] = organisation.data?.assignableRoles ?? [];
  // The current role is an option even if it cannot be given, such as the one super admin of an individual account.
  const options = new Set<Role>([...assignable, person.role, 'user']);
  const save = (role: Role) =>
    change.mutate({ userId: person.userId, role }, { onSuccess: onChanged, onSettled: () => setEnding(false) });
  const choose = (role: Role | null) => {
    if (role === null || role === person.role || change.isPending) return;
    if (role === 'user' && isStaffPerson(person)) return setEnding(true);
    save(role);
  };
  return (
    <>
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
      <Suspense>
        {ending && (
          <ConfirmDialog
            opened
            action={memberTexts.endAccess}
            busy={change.isPending}
            onConfirm={() => save('user')}
            onClose={() => setEnding(false)}
          >
            {memberTexts.endAccessQuestion(personName(person), org)}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  );
}
