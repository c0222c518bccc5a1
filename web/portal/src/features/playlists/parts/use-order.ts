/** Reordering the items of a playlist. */
import { arrayMove } from '@dnd-kit/sortable';

import { type PlaylistOut, statusOf } from '@vitrine/api';
import { useState } from 'react';
import { useReorderContent } from '../api/playlist-mutations.ts';
import { inOrder } from '../model.ts';

/** The playlist when reordering started, and the new order. */
interface Draft {
  items: readonly string[];
  timeModified: string;
  order: readonly string[];
}

/**
 * Keeps items added or removed in the meantime, as by an upload that finishes; a concurrent reorder by another person is a
 * conflict.
 */
export function useOrder(playlist: PlaylistOut, shown: readonly string[]) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const save = useReorderContent(playlist.orgId, playlist.uid);
  const { items, timeModified } = playlist;
  const order = draft && inOrder(shown, draft.order);
  const begin = () => {
    save.reset();
    setDraft({ items, timeModified, order: shown });
  };
  const done = () => {
    if (draft === null || order === null) return;
    if (order.every((uid, index) => uid === shown[index])) return setDraft(null);
    const untouched = isSubsequence(
      items.filter((uid) => draft.items.includes(uid)),
      draft.items,
    );
    save.mutate(
      { items: inOrder(items, order), timeModified: untouched ? timeModified : draft.timeModified },
      { onSettled: () => setDraft(null) },
    );
  };
  return {
    /** The order to show while reordering, otherwise null. */
    order,
    begin,
    done,
    move: (from: number, to: number) => {
      if (draft !== null && order !== null) setDraft({ ...draft, order: arrayMove([...order], from, to) });
    },
    saving: save.isPending,
    conflict: save.isError && statusOf(save.error) === 409 && order === null,
  };
}

/** Returns whether the entries of `part` have the same relative order in `whole`. */
function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  const there = whole.filter((uid) => part.includes(uid));
  return part.every((uid, index) => uid === there[index]);
}
