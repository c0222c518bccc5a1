/** The words of joining. */
export const JOIN = {
  button: 'Join',
  strapline: 'Join to watch all our content',
  invalidTitle: 'This joining link is not valid.',
  invalidText: 'It may have been replaced. Ask the organisation for a new one.',
  toApp: 'Go to your playlists',
  consentTitle: 'May we see what you watch?',
  yes: 'Yes, I agree',
  no: 'No, join without',
  later: 'You can change your answer at any time under Me.',
} as const;
