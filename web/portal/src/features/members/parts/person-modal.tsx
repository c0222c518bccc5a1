/** Details of one person. */
import { Avatar, Badge, Group, Modal, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { UserOut } from '@vitrine/api';
import { imageAt } from '@vitrine/brand/image-sizes';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { roleLabels } from '~/features/orgs/roles.ts';
import { initials } from '~/shared/lib/format.ts';
import { useReturnFocus } from '~/shared/lib/return-focus.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { ContactLinks, CopyableValue } from '~/shared/ui/contact-links.tsx';
import { DetailList } from '~/shared/ui/detail-list.tsx';
import type { GivenRole } from '../api/member-mutations.ts';
import { isStaffPerson, personName } from '../model.ts';
import { memberTexts } from '../texts.ts';
import { ConsentLine, LastSeenLine } from './person-card.tsx';
import { PersonRemoval } from './person-removal.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { RoleSelect } from './role-select.tsx';

interface PersonModalProps {
  person: UserOut;
  now: number;
  /** Called with the membership that the person was given. */
  onRole: (given: GivenRole) => void;
  onClose: () => void;
}

export function PersonModal({ person, now, onRole, onClose }: PersonModalProps) {
  const { orgId } = useCurrentOrg();
  useReturnFocus();
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const { user } = person;
  return (
    <Modal opened onClose={onClose} title={memberTexts.user} size="md" fullScreen={narrow} radius={narrow ? 0 : 'xl'}>
      <Stack gap="md">
        <Group gap="md" wrap="nowrap">
          <Avatar
            src={imageAt(user.photoURL, 192) || null}
            alt=""
            size={56}
            flex="none"
            color={isStaffPerson(person) ? 'orange' : 'purple'}
          >
            {initials(personName(person))}
          </Avatar>
          <div>
            <Text fw={600} fz={18}>
              {personName(person)}
            </Text>
            <Group gap={6} mt={2}>
              <Badge color={isStaffPerson(person) ? 'orange' : 'gray'}>{roleLabels[person.role]}</Badge>
              {person.blocked && <Badge color="red">{memberTexts.blocked}</Badge>}
            </Group>
            <ConsentLine person={person} now={now} />
            <LastSeenLine person={person} now={now} />
          </div>
        </Group>
        <ContactLinks email={user.email} phoneNumber={user.phoneNumber} />
        <RoleSelect person={person} onChanged={onRole} />
        <DetailList
          rows={[
            [memberTexts.phone, copyable(memberTexts.phone, user.phoneNumber)],
            [commonTexts.email, copyable(commonTexts.email, user.email)],
            [commonTexts.company, user.company],
            [commonTexts.jobTitle, user.jobTitle],
            [commonTexts.businessArea, user.businessArea],
          ]}
        />
        {person.consent === true && <RecentActivity orgId={orgId} userId={person.userId} />}
        <div>
          <PersonRemoval person={person} onDone={onClose} />
        </div>
      </Stack>
    </Modal>
  );
}

const copyable = (label: string, value: string) => (value === '' ? '' : <CopyableValue label={label} value={value} />);
