/** Search params of the content screen and of a playlist. */
import type { ContentKind } from '@vitrine/api';
import type { SourceType } from '~/features/content/model.ts';

/** Absent params mean the defaults. */
export interface ContentSearch {
  /** The playlists tab if absent. */
  tab?: 'all' | 'deleted' | undefined;
  search?: string | undefined;
  sort?: 'title' | 'watched' | undefined;
  kind?: ContentKind | undefined;
  /** Only items that are not in a playlist. */
  loose?: true | undefined;
}

const kinds: readonly ContentKind[] = ['video', 'audio', 'image', 'pdf', 'file', 'embed'];

/** Validates the params. Lists every key, because the router would keep the raw value of a missing one. */
export function contentSearchOf({ tab, search, sort, kind, loose }: Record<string, unknown>): ContentSearch {
  // The router parses a bare number in the URL as a number.
  const words = typeof search === 'string' || typeof search === 'number' ? `${search}` : '';
  return {
    tab: tab === 'all' || tab === 'deleted' ? tab : undefined,
    search: words === '' ? undefined : words,
    sort: sort === 'title' || sort === 'watched' ? sort : undefined,
    kind: kinds.find((one) => one === kind),
    loose: loose === true ? loose : undefined,
  };
}

/** Search params of one playlist. */
export interface PlaylistSearch {
  /** The item in the preview; the first item if absent. */
  content?: string | undefined;
  /** The open wizard. */
  add?: SourceType | undefined;
}

/** Validates the params of one playlist. */
export function playlistSearchOf({ content, add }: Record<string, unknown>): PlaylistSearch {
  return {
    content: typeof content === 'string' && content !== '' ? content : undefined,
    add: add === 'file' || add === 'url' ? add : undefined,
  };
}
