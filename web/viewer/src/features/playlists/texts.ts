/** The words of home and of a playlist. */
export const PLAYLISTS = {
  pinned: 'Pinned',
  all: 'All playlists',
  emptyTitle: 'Nothing to watch yet',
  emptyText: 'When the organisation publishes a playlist, it appears here.',
  refresh: 'Refresh',
  moreFailed: 'There was a problem loading more playlists.',
  noItemsTitle: 'This playlist is empty',
  noItemsText: 'Nothing has been added to it yet.',
  home: 'Home',
  toHome: 'Back to home',
  items: 'In this playlist',
  next: 'Next',
  playing: 'Now showing',
} as const;
