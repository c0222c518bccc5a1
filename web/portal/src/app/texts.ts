/** Words of the shell, as the specification gives them. */
export const appTexts = {
  notFound: 'Oops! Page Not Found',
  crashTitle: 'Error!',
  crashText: 'Oops! We encountered an error.',
  reload: 'Reload',
  newVersion: 'A new version of the app is available!',
  update: 'Update',
  logout: 'Logout',
} as const;
