/** /org/{orgId}/playlists/{playlistId}: one playlist, its preview and its items. */
import { Button, Skeleton, Stack } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconChartBar, IconFileUpload, IconPlaylist, IconShare2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ContentOut, PlaylistOut } from '@vitrine/api';
import { Suspense, useState } from 'react';
import { useMoving } from '~/features/content/api/moving.ts';
import type { SourceType } from '~/features/content/model.ts';
import { CardSkeleton } from '~/features/content/parts/content-card.tsx';
import { PreviewPanel } from '~/features/content/parts/preview-panel.tsx';
import { useUploadPanel } from '~/features/content/parts/upload-panel.tsx';
import { contentTexts } from '~/features/content/texts.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { session } from '~/shared/api/session.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { PRODUCT } from '~/shared/lib/product.ts';
import page from '~/shared/ui/page.module.css';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { playlistContentQuery, playlistQuery } from '../api/playlist-queries.ts';
import { PlaylistHeader } from '../parts/playlist-header.tsx';
import { PlaylistItems } from '../parts/playlist-items.tsx';
import { playlistTexts } from '../texts.ts';
import classes from './playlist-page.module.css';

const AddContentWizard = lazyPart(() => import('~/features/content/parts/add-content-wizard.tsx'), 'AddContentWizard');
const EditItemModal = lazyPart(() => import('../parts/edit-item-modal.tsx'), 'EditItemModal');
const EditPlaylistModal = lazyPart(() => import('../parts/edit-playlist-modal.tsx'), 'EditPlaylistModal');

const ShareDialog = lazyPart(() => import('../parts/share-dialog.tsx'), 'ShareDialog');

const ROUTE = '/private/shell/org/$orgId/playlists/$playlistId';

export function PlaylistPage() {
  const { orgId } = useCurrentOrg();
  const { playlistId } = useParams({ from: ROUTE });
  useUploadPanel();
  const playlist = useQuery(playlistQuery(orgId, playlistId));
  useDocumentTitle(`${playlist.data?.title ?? playlistTexts.content} · ${PRODUCT}`);
  if (playlist.isPending) return <PlaylistSkeleton />;
  return (
    <div className={page.page}>
      {playlist.data === undefined || playlist.data.orgId !== orgId ? (
        <EmptyState
          icon={IconPlaylist}
          title={playlistTexts.errorLoading}
          hint={playlistTexts.missingHint}
          action={
            <Button component={Link} to={`/org/${orgId}/playlists`} variant="default">
              {playlistTexts.back}
            </Button>
          }
        />
      ) : (
        <Loaded key={playlistId} playlist={playlist.data} />
      )}
    </div>
  );
}

function Loaded({ playlist }: { playlist: PlaylistOut }) {
  const { orgId, uid: playlistId } = playlist;
  const { can, name } = useCurrentOrg();
  const { add } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/org/$orgId/playlists/$playlistId' });
  const [editing, setEditing] = useState<'none' | 'playlist' | ContentOut>('none');
  const [sharing, setSharing] = useState<'none' | 'playlist' | ContentOut>('none');
  const closeEditor = () => setEditing('none');
  const openWizard = (source: SourceType) => void navigate({ search: (search) => ({ ...search, add: source }) });
  const closeWizard = () =>
    void navigate({ search: ({ content }) => (content === undefined ? {} : { content }), replace: true });
  return (
    <>
      <PlaylistHeader
        playlist={playlist}
        onAdd={openWizard}
        onEdit={() => setEditing('playlist')}
        onShare={() => setSharing('playlist')}
      />
      <Items playlist={playlist} onAdd={openWizard} onEdit={setEditing} onShare={setSharing} />
      <Suspense>
        {add !== undefined && can(policies.contentCreate) && (
          <AddContentWizard source={add} orgId={orgId} playlistId={playlistId} onClose={closeWizard} />
        )}
        {sharing !== 'none' && (
          <ShareDialog
            playlist={playlist}
            item={sharing === 'playlist' ? undefined : sharing}
            organisation={name}
            onClose={() => setSharing('none')}
          />
        )}
        {editing === 'playlist' && <EditPlaylistModal playlist={playlist} onClose={closeEditor} />}
        {typeof editing === 'object' && <EditItemModal content={editing} playlist={playlist} onClose={closeEditor} />}
      </Suspense>
    </>
  );
}

interface ItemsProps {
  playlist: PlaylistOut;
  onAdd: (source: SourceType) => void;
  onEdit: (content: ContentOut) => void;
  onShare: (content: ContentOut) => void;
}

/** The selected item is part of the URL; the first item is the default. */
function Items({ playlist, onAdd, onEdit, onShare }: ItemsProps) {
  const { can } = useCurrentOrg();
  const { content: wanted } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/org/$orgId/playlists/$playlistId' });
  const query = useQuery(playlistContentQuery(playlist.orgId, playlist.uid));
  const items = useMoving(playlist.orgId, query.data ?? []);
  if (query.isPending) return <ItemsSkeleton />;
  if (query.data === undefined) {
    return <ErrorState message={playlistTexts.errorLoading} onRetry={() => void query.refetch()} />;
  }
  const selected = items.find(({ uid }) => uid === wanted) ?? items[0];
  if (selected === undefined) {
    return (
      <Surface>
        <EmptyState
          icon={IconFileUpload}
          title={playlistTexts.empty}
          hint={playlistTexts.emptyHint}
          action={
            can(policies.contentCreate) ? (
              <Button onClick={() => onAdd('file')}>{contentTexts.addFile}</Button>
            ) : undefined
          }
        />
      </Surface>
    );
  }
  return (
    <div className={classes.layout}>
      <section className={classes.preview} aria-label={contentTexts.preview}>
        <div className={classes.heading}>
          <h2>{contentTexts.preview}</h2>
          {can(policies.analytics) && selected.type !== 'draft' && (
            <Button
              component={Link}
              to={`/org/${playlist.orgId}/analytics/content/${selected.uid}`}
              variant="subtle"
              color="gray"
              leftSection={<IconChartBar size={16} stroke={1.7} />}
              aria-label={playlistTexts.numbersOf(selected.title)}
            >
              {playlistTexts.numbers}
            </Button>
          )}
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconShare2 size={16} stroke={1.7} />}
            aria-label={playlistTexts.shareItem(selected.title)}
            onClick={() => onShare(selected)}
          >
            {playlistTexts.shareThisItem}
          </Button>
        </div>
        <PreviewPanel content={selected} />
      </section>
      <PlaylistItems
        playlist={playlist}
        items={items}
        selected={selected.uid}
        now={session.now(query.dataUpdatedAt)}
        onSelect={(uid) => void navigate({ search: { content: uid }, replace: true, resetScroll: false })}
        onEdit={onEdit}
      />
    </div>
  );
}

function PlaylistSkeleton() {
  return (
    <div className={page.page} aria-busy="true">
      <Skeleton height={14} width={130} mb="md" />
      <div className={classes.headSkeleton}>
        <Skeleton height={84} width={168} radius="lg" />
        <Stack gap="xs" flex={1}>
          <Skeleton height={28} width="40%" />
          <Skeleton height={14} width="60%" />
        </Stack>
      </div>
      <ItemsSkeleton />
    </div>
  );
}

function ItemsSkeleton() {
  return (
    <div className={classes.layout} aria-busy="true">
      <Skeleton className={classes.playerSkeleton ?? ''} radius="lg" />
      <Stack gap="xs">
        <Skeleton height={24} width={90} mb={8} />
        <CardSkeleton />
        <CardSkeleton />
        <CardSkeleton />
      </Stack>
    </div>
  );
}
