/** Playlists and content deleted in the last 30 days, with buttons to restore them and to delete them for good. */
import { Button, Text, Title } from '@mantine/core';
import { IconRestore, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { DeletedContentOut, DeletedPlaylistOut } from '@vitrine/api';
import { Suspense, useId, useRef, useState } from 'react';
import { contentKinds } from '~/features/content/model.ts';
import { ContentListSkeleton } from '~/features/content/parts/content-card.tsx';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { session } from '~/shared/api/session.ts';
import { dateOf, timeOrDate } from '~/shared/lib/format.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import list from '~/shared/ui/row-list.module.css';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { type Deleted, useDeletePermanently, useRestore } from '../api/deleted-mutations.ts';
import { deletedContentQuery, deletedPlaylistsQuery } from '../api/deleted-queries.ts';
import { playlistTexts } from '../texts.ts';
import { ListEnd } from './list-end.tsx';
import classes from './recently-deleted.module.css';

const ConfirmDialog = lazyPart(() => import('~/shared/ui/confirm-dialog.tsx'), 'ConfirmDialog');

export function RecentlyDeleted() {
  const { orgId } = useCurrentOrg();
  const playlists = useInfiniteQuery(deletedPlaylistsQuery(orgId));
  const content = useInfiniteQuery(deletedContentQuery(orgId));
  const restore = useRestore(orgId);
  const remove = useDeletePermanently(orgId);
  const [asked, setAsked] = useState<Deleted | null>(null);
  const hint = useRef<HTMLParagraphElement>(null);
  // The row with the focused button is gone.
  const leave = () => {
    setAsked(null);
    hint.current?.focus();
  };
  if (playlists.isPending || content.isPending) return <ContentListSkeleton />;
  if (playlists.data === undefined || content.data === undefined) {
    const again = () => void Promise.all([playlists.refetch(), content.refetch()]);
    return <ErrorState message={playlistTexts.deletedFailed} onRetry={again} />;
  }
  const [lists, items] = [playlists.data.pages.flat(), content.data.pages.flat()];
  const actions = {
    busy: restore.isPending ? restore.variables.uid : null,
    onRestore: (deleted: Deleted) => restore.mutate(deleted, { onSuccess: () => hint.current?.focus() }),
    onDelete: setAsked,
  };
  return (
    <section>
      <Text c="dimmed" mb="md" ref={hint} tabIndex={-1}>
        {playlistTexts.deletedHint}
      </Text>
      {lists.length + items.length === 0 && (
        <Surface>
          <EmptyState icon={IconTrash} title={playlistTexts.nothingDeleted} />
        </Surface>
      )}
      <Section
        title={playlistTexts.deletedPlaylists}
        rows={lists}
        now={session.now(playlists.dataUpdatedAt)}
        {...actions}
      />
      <ListEnd query={playlists} failure={playlistTexts.deletedFailed} />
      <Section
        title={playlistTexts.deletedContent}
        rows={items}
        now={session.now(content.dataUpdatedAt)}
        {...actions}
      />
      <ListEnd query={content} failure={playlistTexts.deletedFailed} />
      <Suspense>
        {asked !== null && (
          <ConfirmDialog
            opened
            action={playlistTexts.deletePermanently}
            busy={remove.isPending}
            onConfirm={() => remove.mutate(asked, { onSettled: leave })}
            onClose={() => setAsked(null)}
          >
            {asked.hasFiles
              ? playlistTexts.permanentFilesQuestion(asked.title)
              : playlistTexts.permanentQuestion(asked.title)}
          </ConfirmDialog>
        )}
      </Suspense>
    </section>
  );
}

interface SectionProps {
  title: string;
  rows: readonly (DeletedPlaylistOut | DeletedContentOut)[];
  now: number;
  /** Id of the row that is being restored. */
  busy: string | null;
  onRestore: (deleted: Deleted) => void;
  onDelete: (deleted: Deleted) => void;
}

/** Shows nothing without rows. */
function Section({ title, rows, now, busy, onRestore, onDelete }: SectionProps) {
  const id = useId();
  if (rows.length === 0) return null;
  return (
    <Surface as="section" flush className={list.card ?? ''}>
      <Title order={2} fz={16} id={id} px={16} pt={14} pb={4}>
        {title}
      </Title>
      <ul className={list.rows} aria-labelledby={id}>
        {rows.map((row) => (
          <li key={row.uid} className={list.row}>
            <Thumbnail
              src={row.previewUrl}
              className={classes.image ?? ''}
              {...('kind' in row ? { kind: row.kind, icon: contentKinds[row.kind].icon } : { cover: row })}
            />
            <div className={list.words}>
              <div className={list.title}>{row.title}</div>
              <Text c="dimmed" fz="xs">
                {playlistTexts.deletedAt(timeOrDate(row.timeDeleted, now), dateOf(row.timeRemoved))}
              </Text>
            </div>
            <div className={list.actions}>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconRestore size={16} stroke={1.7} />}
                aria-label={playlistTexts.restoreNamed(row.title)}
                loading={busy === row.uid}
                disabled={busy !== null && busy !== row.uid}
                onClick={() => onRestore(deletedOf(row))}
              >
                {playlistTexts.restore}
              </Button>
              <Button
                variant="subtle"
                color="red"
                size="xs"
                aria-label={playlistTexts.deleteNamedPermanently(row.title)}
                disabled={busy !== null}
                onClick={() => onDelete(deletedOf(row))}
              >
                {playlistTexts.deletePermanently}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Surface>
  );
}

function deletedOf(row: DeletedPlaylistOut | DeletedContentOut): Deleted {
  const { uid, title } = row;
  if (!('kind' in row)) return { kind: 'playlist', uid, title, hasFiles: false };
  return { kind: 'content', uid, title, hasFiles: row.kind !== 'embed' };
}
