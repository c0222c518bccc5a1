/** What the address of the content screen holds. */
import type { ContentKind } from '@vitrine/api';

/** Absent parts are the defaults. */
export interface ContentSearch {
  /** Playlists where absent. */
  tab?: 'all';
  search?: string;
  sort?: 'title' | 'watched';
  kind?: ContentKind;
  /** Only what lies in no playlist. */
  loose?: true;
}

const kinds: readonly ContentKind[] = ['video', 'audio', 'image', 'pdf', 'file', 'embed'];

/** Takes what it knows; anything else in the address is left out. */
export function contentSearchOf(search: Record<string, unknown>): ContentSearch {
  const kind = kinds.find((one) => one === search.kind);
  return {
    ...(search.tab === 'all' ? { tab: 'all' } : {}),
    ...(typeof search.search === 'string' && search.search !== '' ? { search: search.search } : {}),
    ...(search.sort === 'title' || search.sort === 'watched' ? { sort: search.sort } : {}),
    ...(kind === undefined ? {} : { kind }),
    ...(search.loose === true ? { loose: true } : {}),
  };
}
