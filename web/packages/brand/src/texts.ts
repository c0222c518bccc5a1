const items = (count: number) => `${count} ${count === 1 ? 'item' : 'items'}`;

/** English texts that the app and its preview have in common, by their section in the app. */
export const brandTexts = {
  shell: { home: 'Home', search: 'Search', me: 'Me' },
  playlists: {
    emptyTitle: 'Nothing to watch yet',
    emptyText: 'Playlists appear here when the organization publishes them.',
    open: 'Open',
    pinned: 'Pinned',
    all: 'All playlists',
    refresh: 'Refresh',
    count: items,
  },
  join: {
    button: 'Join',
    strapline: 'Join to watch all our content',
    glimpse: 'Inside',
    items,
  },
};
