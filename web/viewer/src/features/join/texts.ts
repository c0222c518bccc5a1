/** Texts of joining. */
export const JOIN = {
  button: 'Join',
  strapline: 'Join to watch all our content',
  invalidTitle: 'This joining link is not valid.',
  invalidText: 'It may have been replaced. Ask the organization for a new one.',
  toApp: 'Go to your playlists',
  consentTitle: 'May we see what you watch?',
  yes: 'Yes, I agree',
  no: 'No, join without sharing',
} as const;
