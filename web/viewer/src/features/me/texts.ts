/** Texts of Me. */
export const ME = {
  title: 'Me',
  edit: 'Edit details',
  consent: 'Share what I watch',
  consentLead: (name: string) => `${name} can see what you watch, along with your name.`,
  consentOn: 'Consent given',
  consentOff: 'Consent withdrawn',
  appearance: 'Appearance',
  schemes: { light: 'Light', dark: 'Dark', system: 'System' },
  account: 'Account',
  signOut: 'Log out',
  leave: 'Leave organization',
  leaveTitle: (name: string) => `Leave ${name}?`,
  leaveText: 'You will lose access to its playlists, and your consent ends. You can join again with a joining link.',
  leaveYes: 'Leave',
  left: (name: string) => `You have left ${name}.`,
  cancel: 'Cancel',
} as const;
