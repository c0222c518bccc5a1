/** Texts of the parts. */
export const brandTexts = {
  emptyTitle: 'Nothing to watch yet',
  emptyText: 'Playlists appear here when the organization publishes them.',
} as const;
