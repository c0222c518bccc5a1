/** Texts for people who have not joined an organisation. */
export const ORGANISATIONS = {
  noneTitle: 'You have not joined an organization yet',
  noneText: 'Open the joining link you received. The organization’s playlists will then appear here.',
  refresh: 'Refresh',
} as const;
