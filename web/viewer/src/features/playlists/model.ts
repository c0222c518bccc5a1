/** Rules of lists: paging, order, next item, descriptions. */
import type { ContentOut, ItemProgressOut, PlaylistOut } from '@vitrine/api';
import { PLAYLISTS } from './texts.ts';

/** A longer page may be followed by another. */
const SHORT_PAGE = 10;

/** Returns the `startAfter` of the next page, or undefined after the last one. */
export function nextPage(page: readonly Pick<PlaylistOut, 'uid'>[]): string | undefined {
  return page.length > SHORT_PAGE ? page.at(-1)?.uid : undefined;
}

/** Returns the playlists that are not pinned, without duplicates. */
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

/** Returns the playable items. A draft, visible to staff only, has no URL yet. */
export function shown<T extends Pick<ContentOut, 'url'>>(items: readonly T[]): T[] {
  return items.filter(({ url }) => url !== '');
}

/** Returns the wanted item, or the first one, and the items around it. */
export function pick<T extends Pick<ContentOut, 'uid'>>(
  items: readonly T[],
  wanted: string | undefined,
): { current: T | undefined; next: T | undefined; previous: T | undefined; at: number } {
  const found = items.findIndex(({ uid }) => uid === wanted);
  const at = found === -1 ? 0 : found;
  return { current: items[at], next: items[at + 1], previous: items[at - 1], at };
}

/** Formats a duration as '1:05' or '1:02:03'; empty if unknown. */
export function clock(durationMs: number | null | undefined): string {
  if (typeof durationMs !== 'number' || durationMs < 0) return '';
  const seconds = Math.round(durationMs / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const padded = (value: number) => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${padded(m)}:${padded(s)}` : `${m}:${padded(s)}`;
}

/** Returns an item's kind and duration. That of a framed video is only known once the person has played it. */
export function describe(item: Pick<ContentOut, 'kind' | 'durationMs'>, length?: number | null): string {
  // The mark of an item that was seen to its end without a length has the length 1.
  const framed = item.kind === 'embed' && typeof length === 'number' && length > 1 ? length : null;
  return [PLAYLISTS.kinds[item.kind], clock(item.durationMs ?? framed)].filter(Boolean).join(' · ');
}

/** Returns the link with a start time in seconds; 0 adds none. */
export function shareLink(link: string, seconds: number): string {
  const url = new URL(link);
  if (seconds > 0) url.searchParams.set('t', String(seconds));
  return url.href;
}

/** Returns the start position of `?t=`, in milliseconds: whole seconds, or undefined. */
export function startOf(t: string | undefined): number | undefined {
  return t !== undefined && /^\d{1,6}$/.test(t) ? Number(t) * 1000 : undefined;
}

/** Returns how far the person is, 0 to 1; 0 if there is nothing to resume. */
export function shareOf(progress: Pick<ItemProgressOut, 'position' | 'length'> | undefined): number {
  const { position = 0, length } = progress ?? {};
  return typeof length === 'number' && length > 0 ? Math.min(1, position / length) : 0;
}

/** Returns how much of a playlist was seen, 0 to 1, by the ids of its items. */
export function seenShareOf(
  items: readonly string[],
  progress: ReadonlyMap<string, Pick<ItemProgressOut, 'seen'>>,
): number {
  const seen = items.filter((item) => progress.get(item)?.seen === true).length;
  return items.length === 0 ? 0 : seen / items.length;
}

/** Formats a count as '1 item' or '5 items'. */
export function countItems(count: number): string {
  return PLAYLISTS.count(count);
}
