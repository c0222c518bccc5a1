/** /org/{orgId}/users: staff and app users, with their consent. */
import { Button, Group, SegmentedControl, SimpleGrid, Skeleton, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMailForward, IconSearch, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { messageOf, type UserOut } from '@vitrine/api';
import { Suspense, useState } from 'react';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { session } from '~/shared/api/session.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { EndOfList } from '~/shared/ui/end-of-list.tsx';
import { Page } from '~/shared/ui/page.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { openInvitesQuery, peopleQuery } from '../api/member-queries.ts';
import { ExportMenu } from '../parts/export-menu.tsx';
import { OpenInvites } from '../parts/open-invites.tsx';
import { PersonCard } from '../parts/person-card.tsx';
import { memberTexts } from '../texts.ts';

const TYPING_MS = 250;
const COLUMNS = { base: 1, lg: 2, xl: 3 };

const InviteModal = lazyPart(() => import('../parts/invite-modal.tsx'), 'InviteModal');
const InviteViewersModal = lazyPart(() => import('../parts/invite-viewers-modal.tsx'), 'InviteViewersModal');
const PersonModal = lazyPart(() => import('../parts/person-modal.tsx'), 'PersonModal');

export function UsersPage() {
  const { orgId, name } = useCurrentOrg();
  const [search, setSearch] = useState('');
  const [admins, setAdmins] = useState(false);
  const [open, setOpen] = useState<UserOut | null>(null);
  const [inviting, setInviting] = useState<'staff' | 'viewers' | null>(null);
  const [asked] = useDebouncedValue(search.trim(), TYPING_MS);
  const query = useInfiniteQuery(peopleQuery(orgId, { search: asked, admins }));
  // Shown together, or the people would move when the invitations above them arrive.
  const staffInvites = useInfiniteQuery(openInvitesQuery(orgId, false));
  const viewerInvites = useInfiniteQuery(openInvitesQuery(orgId, true));
  const people =
    staffInvites.isPending || viewerInvites.isPending ? undefined : query.data?.pages.flatMap(({ data }) => data);
  const total = query.data?.pages[0]?.total;
  const filtered = asked !== '' || admins;
  const count = () => {
    // Not yet those that were asked for.
    if (query.isPlaceholderData) return commonTexts.loading;
    if (total === undefined || people === undefined) return '';
    if (!filtered) return memberTexts.userCount(total);
    // How many match is known once all of them are loaded.
    return (query.hasNextPage ? memberTexts.matchesAtLeast : memberTexts.matches)(people.length, total);
  };
  const clear = () => {
    setSearch('');
    setAdmins(false);
  };
  return (
    <Page
      title={memberTexts.titleOf(name)}
      actions={
        <>
          <ExportMenu orgId={orgId} />
          <Button
            variant="default"
            leftSection={<IconMailForward size={16} stroke={1.7} />}
            onClick={() => setInviting('viewers')}
          >
            {memberTexts.inviteViewers}
          </Button>
          <Button leftSection={<IconUserPlus size={16} stroke={1.7} />} onClick={() => setInviting('staff')}>
            {memberTexts.inviteAdmin}
          </Button>
        </>
      }
    >
      <Group mb="md" gap="sm">
        <TextInput
          type="search"
          aria-label={memberTexts.searchLabel}
          placeholder={memberTexts.search}
          leftSection={<IconSearch size={16} stroke={1.7} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          w={{ base: '100%', sm: 260 }}
        />
        <SegmentedControl
          aria-label={memberTexts.filterUsers}
          value={admins ? 'admins' : 'all'}
          onChange={(value) => setAdmins(value === 'admins')}
          data={[
            { value: 'all', label: memberTexts.showAll },
            { value: 'admins', label: memberTexts.adminsOnly },
          ]}
        />
        <Text c="dimmed" className="tabular" role="status">
          {count()}
        </Text>
      </Group>
      {people !== undefined && search === '' && (
        <>
          <OpenInvites orgId={orgId} viewers={false} />
          <OpenInvites orgId={orgId} viewers />
        </>
      )}
      {query.isError && people === undefined ? (
        <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />
      ) : people === undefined ? (
        <SimpleGrid cols={COLUMNS} spacing="sm">
          {Array.from({ length: 6 }, (_, index) => (
            <Skeleton key={index.toString()} height={94} radius="lg" />
          ))}
        </SimpleGrid>
      ) : people.length === 0 ? (
        <Surface>
          <EmptyState
            icon={IconUsers}
            title={memberTexts.none}
            action={
              filtered && (
                <Button variant="default" onClick={clear}>
                  {memberTexts.clearSearch}
                </Button>
              )
            }
          />
        </Surface>
      ) : (
        <SimpleGrid cols={COLUMNS} spacing="sm">
          {people.map((person) => (
            <PersonCard
              key={person.userId}
              person={person}
              now={session.now(query.dataUpdatedAt)}
              onOpen={() => setOpen(person)}
            />
          ))}
        </SimpleGrid>
      )}
      <EndOfList
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage}
        failure={query.isFetchNextPageError ? memberTexts.moreFailed : undefined}
        onMore={() => void query.fetchNextPage()}
      />
      <Suspense>
        {open !== null && (
          <PersonModal
            person={open}
            now={session.now(query.dataUpdatedAt)}
            onRole={(given) => setOpen({ ...open, ...given })}
            onClose={() => setOpen(null)}
          />
        )}
        {inviting === 'staff' && <InviteModal orgId={orgId} onClose={() => setInviting(null)} />}
        {inviting === 'viewers' && <InviteViewersModal orgId={orgId} onClose={() => setInviting(null)} />}
      </Suspense>
    </Page>
  );
}
