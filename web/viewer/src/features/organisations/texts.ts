/** Texts for people who have not joined an organisation, and for consents that outlast access. */
export const ORGANISATIONS = {
  noneTitle: 'You have not joined an organization yet',
  noneText: 'Open the joining link you received. The organization’s playlists will then appear here.',
  refresh: 'Refresh',
  keptTitle: 'Consent in other organizations',
  keptText:
    'You can no longer open these organizations, but they still have your consent to see who you are and what you watch.',
  keptFailed: 'Could not load the other organizations that have your consent.',
  withdraw: 'Withdraw consent',
  withdrawNamed: (name: string) => `Withdraw consent: ${name}`,
  withdrawn: (name: string) => `Consent withdrawn: ${name}`,
} as const;
