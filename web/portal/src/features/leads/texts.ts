/** Words of the leads screen, as the specification gives them. */
export const leadTexts = {
  titleOf: (org: string) => `${org} Leads`,
  columns: ['User', 'Email', 'Phone number', 'Country', 'Lead type', 'Company', 'Business area', 'Job title'],
  downloadCsv: 'Download leads as .csv',
  watchTime: 'Watch time (minutes)',
  needsOne: 'UsersService: must request at least one user.',
} as const;
