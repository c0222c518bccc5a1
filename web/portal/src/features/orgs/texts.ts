/** Words of the organisation screens, as the specification gives them. */
export const orgTexts = {
  noPlan: 'No active plan detected',
  viewPlans: 'View Plans',
  logout: 'Logout',
  bootstrapFailed: 'Error bootstrapping app',
  noOrg: 'No orgId',
  joinUrlGenerated: 'Join Url generated successfully!',
  joinUrlCopied: 'Public join URL copied successfully!',
  copyFailed: 'Unable to copy!',
  generateLink: 'Generate joining link',
  background: 'Background',
  buttonColour: 'Button color',
  textColour: 'Text color',
  changedMeanwhile: 'Someone else changed these settings.',
} as const;
