/** /org/{orgId}/playlists: the organisation's playlists and content. */
import { Button } from '@mantine/core';
import { IconPlaylist } from '@tabler/icons-react';
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { SourceType } from '~/features/content/model.ts';
import { ContentListSkeleton } from '~/features/content/parts/content-card.tsx';
import { useUploadPanel } from '~/features/content/parts/upload-panel.tsx';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { Page } from '~/shared/ui/page.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { useFailureToast } from '~/shared/ui/use-failure-toast.ts';
import { playlistQuery, playlistsQuery } from '../api/playlist-queries.ts';
import { AddMenu } from '../parts/add-menu.tsx';
import { ContentTabs } from '../parts/content-tabs.tsx';
import { ListEnd } from '../parts/list-end.tsx';
import { PinnedBoard } from '../parts/pinned-board.tsx';
import { PlaylistGrid, PlaylistsSkeleton } from '../parts/playlist-grid.tsx';
import { usePins } from '../parts/use-pins.ts';
import { playlistTexts } from '../texts.ts';

const AllContent = lazyPart(() => import('../parts/all-content.tsx'), 'AllContent');
const RecentlyDeleted = lazyPart(() => import('../parts/recently-deleted.tsx'), 'RecentlyDeleted');
const AddPlaylistWizard = lazyPart(() => import('../parts/add-playlist-wizard.tsx'), 'AddPlaylistWizard');
const PickPlaylistDialog = lazyPart(() => import('../parts/pick-playlist-dialog.tsx'), 'PickPlaylistDialog');

const ROUTE = '/private/shell/org/$orgId/playlists';

export function PlaylistsPage() {
  const { orgId } = useCurrentOrg();
  const { tab } = useSearch({ from: ROUTE });
  useUploadPanel();
  const profile = useQuery(profileQuery);
  const [dialog, setDialog] = useState<'none' | 'playlist' | SourceType>('none');
  const close = () => setDialog('none');
  return (
    <Page
      title={playlistTexts.titleOf(profile.data?.displayName.trim() ?? '')}
      actions={<AddMenu onContent={setDialog} onPlaylist={() => setDialog('playlist')} />}
    >
      <ContentTabs orgId={orgId} tab={tab} />
      {tab === undefined ? (
        <Playlists onCreate={() => setDialog('playlist')} />
      ) : (
        <Suspense fallback={<ContentListSkeleton />}>{tab === 'all' ? <All /> : <RecentlyDeleted />}</Suspense>
      )}
      <Suspense>
        {dialog === 'playlist' && <AddPlaylistWizard orgId={orgId} onClose={close} />}
        {(dialog === 'file' || dialog === 'url') && (
          <PickPlaylistDialog orgId={orgId} source={dialog} onCreate={() => setDialog('playlist')} onClose={close} />
        )}
      </Suspense>
    </Page>
  );
}

function All() {
  const { search = '', kind = null, loose = false } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/org/$orgId/playlists' });
  return (
    <AllContent
      filter={{ search, kind, loose }}
      onFilter={(filter) =>
        void navigate({
          search: {
            tab: 'all',
            ...(filter.search === '' ? {} : { search: filter.search }),
            ...(filter.kind === null ? {} : { kind: filter.kind }),
            ...(filter.loose ? { loose: true } : {}),
          },
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}

function Playlists({ onCreate }: { onCreate: () => void }) {
  const { orgId, can } = useCurrentOrg();
  const { search = '', sort = 'new' } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/org/$orgId/playlists' });
  const query = useInfiniteQuery(playlistsQuery(orgId, { search, sort }));
  const pins = usePins();
  useFailureToast(query, playlistTexts.loadFailed);
  const playlists = query.data?.pages.flat() ?? [];
  // Use playlists already in the list while their query loads.
  const known = (uid: string) => playlists.find((playlist) => playlist.uid === uid);
  const pinned = useQueries({
    queries: pins.pinned.map((uid) => ({ ...playlistQuery(orgId, uid), placeholderData: known(uid) })),
  });
  if (query.isPending || pins.loading) return <PlaylistsSkeleton />;
  if (query.data === undefined)
    return <ErrorState message={playlistTexts.notLoaded} onRetry={() => void query.refetch()} />;
  if (playlists.length === 0 && search === '' && !query.isPlaceholderData) {
    return (
      <Surface>
        <EmptyState
          icon={IconPlaylist}
          title={playlistTexts.none}
          hint={playlistTexts.noneHint}
          action={
            can(policies.playlistCreate) ? <Button onClick={onCreate}>{playlistTexts.createOne}</Button> : undefined
          }
        />
      </Surface>
    );
  }
  return (
    <>
      <PinnedBoard
        playlists={pinned.flatMap(({ data }) => (data === undefined ? [] : [data]))}
        pins={pins}
        loading={pinned.some(({ isPending }) => isPending)}
      />
      <PlaylistGrid
        playlists={playlists}
        pins={pins}
        search={search}
        sort={sort}
        onFilter={(filter) =>
          void navigate({
            search: {
              ...(filter.search === '' ? {} : { search: filter.search }),
              ...(filter.sort === 'new' ? {} : { sort: filter.sort }),
            },
            replace: true,
            resetScroll: false,
          })
        }
        end={<ListEnd query={query} failure={playlistTexts.loadMoreFailed} />}
      />
    </>
  );
}
