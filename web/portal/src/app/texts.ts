/** Words of the shell; the first seven are the specification's. */
export const appTexts = {
  notFound: 'Oops! Page Not Found',
  crashTitle: 'Error!',
  crashText: 'Oops! We encountered an error.',
  reload: 'Reload',
  newVersion: 'A new version of the app is available!',
  update: 'Update',
  logout: 'Logout',
  filesGone: 'A part of the app could not be loaded. There may be a newer version; reloading gets it.',
  offlineTitle: 'You are offline',
  offlineText: 'There is no connection to the server. This page loads by itself once you are back.',
  offlineNotice: 'You are offline. What you see may be old, and changes are sent once you are back.',
  serverBusy: 'The server is busy. Continuing shortly.',
  tryAgain: 'Try again',
  stillOffline: 'Still no connection.',
} as const;
