/** Texts of the users and invite screens. The wording of the first block is fixed. */
export const memberTexts = {
  titleOf: (org: string) => `${org} Users`,
  adminsOnly: 'Admins only',
  showAll: 'Show all',
  none: 'No users available!',
  accepted: 'Invitation accepted!',
  rejected: 'Invitation rejected!',
  rejectedBecause: (email: string) =>
    `Your invitation for the account with ${email} is not valid. Please request a new invite link for this account, or sign in with a different account.`,
  toDashboard: 'To dashboard',
  consentGiven: 'Consent given',
  noConsent: 'No consent',
  csvName: 'vitrine-users.csv',
  exports: { all: 'All users', new: 'All new users', gdpr: 'All users GDPR' },
  export: 'Export',

  waiting: 'Adding you to the organization takes up to 10 seconds.',
  checking: 'Checking your invitation',
  takesLong: 'This is taking longer than usual.',
  notChecked: 'We could not check your invitation',
  searchLabel: 'Search users',
  search: 'Search',
  filterUsers: 'Filter users',
  user: 'User',
  phone: 'Phone',
} as const;
