/** Texts for people who have not joined an organisation. */
export const ORGANISATIONS = {
  noneTitle: 'You have not joined an organisation yet',
  noneText: 'Open the joining link an organisation has given you. Its playlists then appear here.',
  refresh: 'Refresh',
} as const;
