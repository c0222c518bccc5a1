/** The words of Me. */
export const ME = {
  title: 'Me',
  edit: 'Edit details',
  consent: 'Share what I watch',
  consentLead: (name: string) => `${name} may see what you watch, together with your name.`,
  consentOn: 'Consent given',
  consentOff: 'Consent withdrawn',
  appearance: 'Appearance',
  schemes: { light: 'Light', dark: 'Dark', system: 'System' },
  account: 'Account',
  signOut: 'Log out',
  leave: 'Leave organisation',
  leaveTitle: (name: string) => `Leave ${name}?`,
  leaveText: 'You will no longer see its playlists, and your consent ends. You can join again with a joining link.',
  leaveYes: 'Leave',
  left: (name: string) => `You have left ${name}.`,
  cancel: 'Cancel',
} as const;
