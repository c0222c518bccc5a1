/** Rules of lists: paging, order, what comes next, how things are named. */
import type { ContentOut, PlaylistOut } from '@vitrine/api';
import { PLAYLISTS } from './texts.ts';

/** A page longer than this may have another one behind it. */
const SHORT_PAGE = 10;

/** The `startAfter` of the page behind this one; undefined when it was the last. */
export function nextPage(page: readonly Pick<PlaylistOut, 'uid'>[]): string | undefined {
  return page.length > SHORT_PAGE ? page.at(-1)?.uid : undefined;
}

/** Playlists that are not pinned, each once. */
export function withoutPinned<T extends Pick<PlaylistOut, 'uid'>>(
  pages: readonly T[][],
  pinned: readonly string[],
): T[] {
  const seen = new Set(pinned);
  return pages.flat().filter(({ uid }) => {
    if (seen.has(uid)) return false;
    seen.add(uid);
    return true;
  });
}

/** Items that can be shown: a draft, which only staff see, has no address yet. */
export function shown<T extends Pick<ContentOut, 'url'>>(items: readonly T[]): T[] {
  return items.filter(({ url }) => url !== '');
}

/** The item to show: the wanted one, else the first; and the one after it. */
export function pick<T extends Pick<ContentOut, 'uid'>>(
  items: readonly T[],
  wanted: string | undefined,
): { current: T | undefined; next: T | undefined; at: number } {
  const found = items.findIndex(({ uid }) => uid === wanted);
  const at = found === -1 ? 0 : found;
  return { current: items[at], next: items[at + 1], at };
}

/** As in '1:05' or '1:02:03'; '' when unknown. */
export function clock(durationMs: number | null | undefined): string {
  if (typeof durationMs !== 'number' || durationMs < 0) return '';
  const seconds = Math.round(durationMs / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const padded = (value: number) => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${padded(m)}:${padded(s)}` : `${m}:${padded(s)}`;
}

/** What an item is, and how long. */
export function describe(item: Pick<ContentOut, 'kind' | 'durationMs'>): string {
  return [PLAYLISTS.kinds[item.kind], clock(item.durationMs)].filter(Boolean).join(' · ');
}

/** As in '1 item' or '5 items'. */
export function countItems(count: number): string {
  return PLAYLISTS.count(count);
}
