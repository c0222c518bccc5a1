/** The items of a playlist: select, edit or reorder. */
import { Alert, Button, Group, Stack, Title } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import type { ContentOut, PlaylistOut } from '@vitrine/api';
import { ContentCard } from '~/features/content/parts/content-card.tsx';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { SortableList } from '~/shared/ui/sortable.tsx';
import { playlistTexts } from '../texts.ts';
import classes from './playlist-items.module.css';
import { useOrder } from './use-order.ts';

interface PlaylistItemsProps {
  playlist: PlaylistOut;
  items: readonly ContentOut[];
  selected: string | undefined;
  now: number;
  onSelect: (uid: string) => void;
  onEdit: (content: ContentOut) => void;
}

/** Done saves the new order, or just exits if nothing moved. */
export function PlaylistItems({ playlist, items, selected, now, onSelect, onEdit }: PlaylistItemsProps) {
  const { can } = useCurrentOrg();
  const byId = new Map(items.map((item) => [item.uid, item]));
  const ids = items.map(({ uid }) => uid);
  const { order, begin, done, move, saving, conflict } = useOrder(playlist, ids);
  const card = (uid: string, handle?: React.ReactNode) => {
    const content = byId.get(uid);
    return content === undefined ? null : (
      <ContentCard
        content={content}
        selected={uid === selected}
        now={now}
        handle={handle}
        onSelect={() => onSelect(uid)}
        onEdit={can(policies.contentCreate) ? () => onEdit(content) : undefined}
      />
    );
  };
  return (
    <Stack gap="sm" component="section" aria-label={playlistTexts.items}>
      <Group justify="space-between" mih={36}>
        <Title order={2} fz={16} className="tabular">
          {playlistTexts.itemCount(items.length)}
        </Title>
        {can(policies.playlistUpdate) && (items.length > 1 || order !== null) && (
          <Button
            variant={order === null ? 'default' : 'filled'}
            leftSection={<IconArrowsSort size={16} stroke={1.7} />}
            loading={saving}
            onClick={order === null ? begin : done}
          >
            {order === null ? playlistTexts.reorder : playlistTexts.done}
          </Button>
        )}
      </Group>
      {conflict && (
        <Alert color="yellow" role="alert" title={playlistTexts.changedMeanwhile}>
          {playlistTexts.reorderConflictHint}
        </Alert>
      )}
      {order === null ? (
        <ul className={classes.list}>
          {ids.map((uid) => (
            <li key={uid}>{card(uid)}</li>
          ))}
        </ul>
      ) : (
        <SortableList
          label={playlistTexts.itemsInOrder}
          className={classes.list}
          axis="vertical"
          ids={order}
          nameOf={(uid) => byId.get(uid)?.title ?? ''}
          onMove={move}
          render={card}
        />
      )}
    </Stack>
  );
}
