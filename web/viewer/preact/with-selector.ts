/** The hook by which the router reads its store. React's own package of it requires React by name. */
import { useRef, useSyncExternalStore } from 'react';

interface Selected<Snapshot, Selection> {
  snapshot: Snapshot;
  selector: (snapshot: Snapshot) => Selection;
  selection: Selection;
}

/** Returns what `selector` makes of the snapshot; rerenders when that changes, as `isEqual` sees it. */
export function useSyncExternalStoreWithSelector<Snapshot, Selection>(
  subscribe: (listener: () => void) => () => void,
  getSnapshot: () => Snapshot,
  _getServerSnapshot: unknown,
  selector: (snapshot: Snapshot) => Selection,
  isEqual: (a: Selection, b: Selection) => boolean = Object.is,
): Selection {
  const last = useRef<Selected<Snapshot, Selection> | null>(null);
  const select = () => {
    const snapshot = getSnapshot();
    const before = last.current;
    if (before !== null && Object.is(before.snapshot, snapshot) && before.selector === selector) {
      return before.selection;
    }
    const selected = selector(snapshot);
    const selection = before !== null && isEqual(before.selection, selected) ? before.selection : selected;
    last.current = { snapshot, selector, selection };
    return selection;
  };
  return useSyncExternalStore(subscribe, select);
}
