/** All content of the organisation, in a playlist or not. */
import { Button, Checkbox, Modal, Select, Text, VisuallyHidden } from '@mantine/core';
import { IconFiles, IconPlaylistAdd } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ContentOut } from '@vitrine/api';
import { Suspense, useState } from 'react';
import { allContentQuery, type ContentFilter } from '~/features/content/api/content-queries.ts';
import { useMoving } from '~/features/content/api/moving.ts';
import { contentKinds } from '~/features/content/model.ts';
import { ContentCard, ContentListSkeleton } from '~/features/content/parts/content-card.tsx';
import { contentTexts } from '~/features/content/texts.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { session } from '~/shared/api/session.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { SearchField } from '~/shared/ui/search-field.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { playlistTexts } from '../texts.ts';
import classes from './all-content.module.css';
import { ListEnd } from './list-end.tsx';

const PreviewPanel = lazyPart(() => import('~/features/content/parts/preview-panel.tsx'), 'PreviewPanel');
const EditLooseModal = lazyPart(() => import('./edit-loose-modal.tsx'), 'EditLooseModal');
const AddToPlaylistDialog = lazyPart(() => import('./add-to-playlist-dialog.tsx'), 'AddToPlaylistDialog');

const kindChoices = Object.entries(contentKinds).map(([value, { label }]) => ({ value, label }));

interface AllContentProps {
  filter: ContentFilter;
  onFilter: (filter: ContentFilter) => void;
}

type Dialog = { kind: 'preview' | 'edit' | 'shelve'; content: ContentOut } | null;

export function AllContent({ filter, onFilter }: AllContentProps) {
  const { orgId } = useCurrentOrg();
  const [dialog, setDialog] = useState<Dialog>(null);
  const close = () => setDialog(null);
  return (
    <section aria-labelledby="content-title">
      <VisuallyHidden component="h2" id="content-title">
        {contentTexts.allContent}
      </VisuallyHidden>
      <Filters filter={filter} onFilter={onFilter} />
      <List filter={filter} onOpen={(kind, content) => setDialog({ kind, content })} />
      <Suspense>
        {dialog?.kind === 'preview' && (
          <Modal opened onClose={close} title={contentTexts.preview} size={760}>
            <PreviewPanel content={dialog.content} />
          </Modal>
        )}
        {dialog?.kind === 'edit' && <EditLooseModal content={dialog.content} onClose={close} />}
        {dialog?.kind === 'shelve' && <AddToPlaylistDialog orgId={orgId} content={dialog.content} onClose={close} />}
      </Suspense>
    </section>
  );
}

function Filters({ filter, onFilter }: AllContentProps) {
  return (
    <div className={classes.filters}>
      <SearchField
        className={classes.search}
        label={playlistTexts.searchContent}
        value={filter.search}
        onSearch={(search) => onFilter({ ...filter, search })}
      />
      <Select
        aria-label={playlistTexts.contentType}
        placeholder={playlistTexts.allTypes}
        clearable
        w={170}
        data={kindChoices}
        value={filter.kind}
        onChange={(kind) => onFilter({ ...filter, kind: kind as ContentFilter['kind'] })}
      />
      <Checkbox
        label={playlistTexts.notInPlaylist}
        checked={filter.loose}
        onChange={(event) => onFilter({ ...filter, loose: event.currentTarget.checked })}
      />
    </div>
  );
}

interface ListProps {
  filter: ContentFilter;
  onOpen: (kind: NonNullable<Dialog>['kind'], content: ContentOut) => void;
}

function List({ filter, onOpen }: ListProps) {
  const { orgId, can } = useCurrentOrg();
  const query = useInfiniteQuery(allContentQuery(orgId, filter));
  const contents = useMoving(orgId, query.data?.pages.flat() ?? []);
  if (query.isPending) return <ContentListSkeleton />;
  if (query.data === undefined) {
    return <ErrorState message={contentTexts.loadFailed} onRetry={() => void query.refetch()} />;
  }
  if (contents.length === 0) return <Nothing narrowed={filter.search !== '' || filter.kind !== null || filter.loose} />;
  return (
    <>
      <ul className={classes.list} aria-busy={query.isPlaceholderData}>
        {contents.map((content) => (
          <li key={content.uid}>
            <ContentCard
              content={content}
              selected={false}
              now={session.now(query.isPlaceholderData ? undefined : query.dataUpdatedAt)}
              onSelect={() => onOpen('preview', content)}
              onEdit={can(policies.contentCreate) ? () => onOpen('edit', content) : undefined}
              action={
                can(policies.playlistUpdate) && content.type !== 'draft' ? (
                  <Button
                    variant="subtle"
                    color="gray"
                    size="compact-sm"
                    leftSection={<IconPlaylistAdd size={18} stroke={1.7} />}
                    aria-label={playlistTexts.addNamedToLabel(content.title)}
                    onClick={() => onOpen('shelve', content)}
                  >
                    <span className={classes.wide}>{playlistTexts.addTo}</span>
                  </Button>
                ) : undefined
              }
            />
          </li>
        ))}
      </ul>
      <ListEnd query={query} failure={contentTexts.loadMoreFailed} />
    </>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  if (narrowed) {
    return (
      <Text c="dimmed" ta="center" py="xl">
        {contentTexts.noneFound}
      </Text>
    );
  }
  return (
    <Surface>
      <EmptyState icon={IconFiles} title={contentTexts.noContent} hint={playlistTexts.noContentHint} />
    </Surface>
  );
}
