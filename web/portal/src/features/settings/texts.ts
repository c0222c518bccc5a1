/** Words of the settings screen. */
import { VERSION } from '~/shared/lib/product.ts';

export const settingsTexts = {
  // As the specification gives them.
  helpTitle: 'Help',
  version: `Version ${VERSION}`,
  terms: 'Terms and conditions',
  privacy: 'Privacy notice',
  contact: 'Contact us',
  help: 'Help and support',
  // Our own, where it gives none.
  appearanceTitle: 'Appearance',
  appearanceHint: 'Remembered in this browser.',
  securityTitle: 'Security',
  securityHint: 'How you sign in, and where you are signed in.',
  helpHint: 'Answers, contact and the small print.',
  methodsTitle: 'Ways to sign in',
  sessionsTitle: 'Where you are signed in',
  thisDevice: 'This device',
  unknownDevice: 'Unknown device',
  unknownPlace: 'Unknown place',
  endSession: 'End session',
  sessionEnded: 'Session ended.',
  everywhere: 'Sign out everywhere',
  everywhereQuestion: 'Sign out on every device, this one too? You will have to sign in again.',
  endQuestion: (device: string) => `End the session on ${device}? It will have to sign in again.`,
  noSessions: 'No sessions to show.',
  setPassword: 'Set a password by e-mail',
} as const;
