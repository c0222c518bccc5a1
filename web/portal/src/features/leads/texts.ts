/** Texts of the leads screen. The wording of the first block is fixed. */
export const leadTexts = {
  titleOf: (org: string) => `${org} Leads`,
  columns: ['User', 'Email', 'Phone number', 'Country', 'Lead type', 'Company', 'Business area', 'Job title'],
  downloadCsv: 'Download leads as .csv',
  watchTime: 'Watch time (minutes)',
  needsOne: 'UsersService: must request at least one user.',

  lead: 'Lead',
  email: 'Email',
  country: 'Country',
  temperatures: { hot: 'Hot', warm: 'Warm', cold: 'Cold' },
  total: 'Total leads',
  hot: 'Hot leads',
  warm: 'Warm leads',
  cold: 'Cold leads',
  none: 'No leads yet',
  noneHint: 'People appear here after they join, agree to share their details and start watching.',
} as const;
