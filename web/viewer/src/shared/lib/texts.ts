/** Texts several features share. */
export const SHARED = {
  choose: 'Choose…',
  loading: 'Loading',
  loadFailed: 'This could not be loaded',
  tryAgain: 'Try again',
  messages: 'Messages',
  closeMessage: 'Close message',
} as const;
