/** Texts of joining. */
export const JOIN = {
  button: 'Join',
  strapline: 'Join to watch all our content',
  invalidTitle: 'This joining link is not valid.',
  invalidText: 'It may have expired or been replaced. Ask the organization for a new one.',
  toApp: 'Go to your playlists',
  consentTitle: 'May we see what you watch?',
  otherTitle: 'This invitation is for another email address',
  otherText: (invited: string, own: string) => `It is for ${invited}, but you are signed in as ${own}.`,
  otherAccount: 'Sign in with another account',
  yes: 'Yes, I agree',
  no: 'No, join without sharing',
} as const;
