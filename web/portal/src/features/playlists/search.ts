/** What the addresses of the content screen and of a playlist hold. */
import type { ContentKind } from '@vitrine/api';
import type { SourceType } from '~/features/content/model.ts';

/** Absent parts are the defaults. */
export interface ContentSearch {
  /** Playlists where absent. */
  tab?: 'all' | undefined;
  search?: string | undefined;
  sort?: 'title' | 'watched' | undefined;
  kind?: ContentKind | undefined;
  /** Only what lies in no playlist. */
  loose?: true | undefined;
}

const kinds: readonly ContentKind[] = ['video', 'audio', 'image', 'pdf', 'file', 'embed'];

/** Takes what it knows. Every part is named, as the router adds those that are not from the address as it is. */
export function contentSearchOf({ tab, search, sort, kind, loose }: Record<string, unknown>): ContentSearch {
  // An address typed by hand may hold a bare number.
  const words = typeof search === 'string' || typeof search === 'number' ? `${search}` : '';
  return {
    tab: tab === 'all' ? tab : undefined,
    search: words === '' ? undefined : words,
    sort: sort === 'title' || sort === 'watched' ? sort : undefined,
    kind: kinds.find((one) => one === kind),
    loose: loose === true ? loose : undefined,
  };
}

/** What the address of one playlist holds. */
export interface PlaylistSearch {
  /** The content in the preview; the first one where absent. */
  content?: string | undefined;
  /** The wizard that is open. */
  add?: SourceType | undefined;
}

/** The same for the address of one playlist. */
export function playlistSearchOf({ content, add }: Record<string, unknown>): PlaylistSearch {
  return {
    content: typeof content === 'string' && content !== '' ? content : undefined,
    add: add === 'file' || add === 'url' ? add : undefined,
  };
}
