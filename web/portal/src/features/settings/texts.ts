/** Words of the settings screen. */
import { VERSION } from '~/shared/lib/product.ts';

export const settingsTexts = {
  helpTitle: 'Help',
  version: `Version ${VERSION}`,
  terms: 'Terms and conditions',
  privacy: 'Privacy notice',
  contact: 'Contact us',
  help: 'Help and support',
} as const;
