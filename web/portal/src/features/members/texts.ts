/** Words of the users and invite screens; most are the specification's. */
export const memberTexts = {
  titleOf: (org: string) => `${org} Users`,
  adminsOnly: 'Admins only',
  showAll: 'Show all',
  none: 'No users available!',
  accepted: 'Invitation accepted!',
  rejected: 'Invitation rejected!',
  rejectedBecause: (email: string) =>
    `Your invitation for the account with ${email} is not valid. Please request a new invite link for this account, or sign in with a different account.`,
  waiting: 'Adding you to the organisation takes up to 10 seconds.',
  checking: 'Checking your invitation',
  takesLong: 'This is taking longer than usual.',
  notChecked: 'Your invitation could not be checked',
  tryAgain: 'Try again',
  toDashboard: 'To dashboard',
  consentGiven: 'Consent given',
  noConsent: 'No consent',
  csvName: 'vitrine-users.csv',
} as const;
