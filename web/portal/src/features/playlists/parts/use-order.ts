/** Putting the items of a playlist in order: begun, moved, saved. */
import { type PlaylistOut, statusOf } from '@vitrine/api';
import { useState } from 'react';
import { move } from '~/shared/lib/move.ts';
import { useReorderContent } from '../api/playlist-mutations.ts';
import { inOrder } from '../model.ts';

/** What was there when the person began, and what they made of it. */
interface Draft {
  items: readonly string[];
  timeModified: string;
  order: readonly string[];
}

/** What comes into the playlist or leaves it meanwhile, such as an upload that ends, is neither lost nor brought back;
 * another order of somebody else is a conflict. */
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
    /** The order to show while it is changed; null while it is not. */
    order,
    begin,
    done,
    move: (from: number, to: number) => {
      if (draft !== null && order !== null) setDraft({ ...draft, order: move(order, from, to) });
    },
    saving: save.isPending,
    conflict: save.isError && statusOf(save.error) === 409 && order === null,
  };
}

/** Whether the part stands in the whole in the same order. */
function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  const there = whole.filter((uid) => part.includes(uid));
  return part.every((uid, index) => uid === there[index]);
}
