/** The organisation settings form. */
import type { OrganisationIn, OrganisationOut, Privacy } from '@vitrine/api';
import { brandDefaults } from '@vitrine/tokens';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isWebAddress } from '~/shared/lib/urls.ts';
import { orgTexts } from './texts.ts';

/** Privacy options, most open first. */
export const privacyOptions: readonly { value: Privacy; label: string; hint: string }[] = [
  { value: 'public', label: commonTexts.public, hint: orgTexts.privacyHints.public },
  { value: 'unlisted', label: commonTexts.unlisted, hint: orgTexts.privacyHints.unlisted },
  { value: 'private', label: commonTexts.private, hint: orgTexts.privacyHints.private },
];

/** Values of the settings form. */
export interface OrganisationForm {
  name: string;
  description: string;
  website: string;
  privacy: Privacy;
  logoUrl: string;
  backgroundUrl: string;
  primaryColor: string;
  secondaryColor: string;
  brandTextColor: string;
}

/** Returns the form values of an organisation. */
export function formOf(organisation: OrganisationOut): OrganisationForm {
  const { name, description, website, privacy, logoUrl, theme } = organisation;
  return {
    name,
    description,
    website,
    privacy,
    logoUrl,
    backgroundUrl: theme.backgroundUrl,
    primaryColor: theme.primaryColor || brandDefaults.primaryColor,
    secondaryColor: theme.secondaryColor || brandDefaults.secondaryColor,
    brandTextColor: theme.brandTextColor || brandDefaults.brandTextColor,
  };
}

const themeFields = ['backgroundUrl', 'primaryColor', 'secondaryColor', 'brandTextColor'] as const;

/** Returns the fields that differ from what the person was shown. */
export function changesOf(form: OrganisationForm, base: OrganisationOut): OrganisationIn {
  const before = formOf(base);
  const changed = Object.entries(form).filter(([field, value]) => before[field as keyof OrganisationForm] !== value);
  const isTheme = (field: string) => (themeFields as readonly string[]).includes(field);
  const theme = changed.filter(([field]) => isTheme(field));
  const fields = Object.fromEntries(changed.filter(([field]) => !isTheme(field)));
  return theme.length === 0 ? fields : { ...fields, theme: Object.fromEntries(theme) };
}

/** Returns whether the form would show the same values for both. */
export function sameForm(one: OrganisationOut, other: OrganisationOut): boolean {
  return JSON.stringify(formOf(one)) === JSON.stringify(formOf(other));
}

/** Validation of the settings form. */
export const organisationRules = {
  name: (value: string) => (value.trim() === '' ? orgTexts.nameRequired : null),
  website: (value: string) => (value.trim() === '' || isWebAddress(value) ? null : commonTexts.invalidUrl),
  primaryColor: colour,
  secondaryColor: colour,
  brandTextColor: colour,
};

/** Returns black or white, whichever has more contrast with the color. */
export function inkOn(background: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Compares contrast with white and with our ink (luminance 0.009).
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.059 ? '#ffffff' : '#18181e';
}

function colour(value: string): string | null {
  return /^#[0-9a-f]{6}$/i.test(value) ? null : orgTexts.colourInvalid;
}
