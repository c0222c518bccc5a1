/** The organisation settings form. */
import type { OrganisationIn, OrganisationOut, Privacy } from '@vitrine/api';
import { brandDefaults } from '@vitrine/brand/defaults';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isEmail, isWebAddress } from '~/shared/lib/urls.ts';
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
  timeZone: string;
  contactEmail: string;
  contactPhone: string;
  logoUrl: string;
  backgroundUrl: string;
  primaryColor: string;
  secondaryColor: string;
  brandTextColor: string;
}

/** Returns the form values of an organisation. */
export function formOf(organisation: OrganisationOut): OrganisationForm {
  const { name, description, website, privacy, timeZone, contact, logoUrl, theme } = organisation;
  return {
    name,
    description,
    website,
    privacy,
    timeZone,
    contactEmail: contact.email,
    contactPhone: contact.phoneNumber,
    logoUrl,
    backgroundUrl: theme.backgroundUrl,
    primaryColor: theme.primaryColor || brandDefaults.primaryColor,
    secondaryColor: theme.secondaryColor || brandDefaults.secondaryColor,
    brandTextColor: theme.brandTextColor || brandDefaults.brandTextColor,
  };
}

const themeFields = ['backgroundUrl', 'primaryColor', 'secondaryColor', 'brandTextColor'] as const;
const contactFields = { contactEmail: 'email', contactPhone: 'phoneNumber' } as const;

/** Returns the fields that differ from what the person was shown. */
export function changesOf(form: OrganisationForm, base: OrganisationOut): OrganisationIn {
  const before = formOf(base);
  const changes: OrganisationIn = {};
  for (const [field, value] of Object.entries(form)) {
    if (before[field as keyof OrganisationForm] === value) continue;
    if (isOneOf(themeFields, field)) changes.theme = { ...changes.theme, [field]: value };
    else if (field in contactFields) {
      changes.contact = { ...changes.contact, [contactFields[field as keyof typeof contactFields]]: value };
    } else Object.assign(changes, { [field]: value });
  }
  return changes;
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

/** Returns whether the form would show the same values for both. */
export function sameForm(one: OrganisationOut, other: OrganisationOut): boolean {
  return JSON.stringify(formOf(one)) === JSON.stringify(formOf(other));
}

/** Validation of the settings form. */
export const organisationRules = {
  name: (value: string) => (value.trim() === '' ? orgTexts.nameRequired : null),
  contactEmail: (value: string) => (value.trim() === '' || isEmail(value) ? null : commonTexts.invalidEmail),
  website: (value: string) => (value.trim() === '' || isWebAddress(value) ? null : commonTexts.invalidUrl),
  primaryColor: colour,
  secondaryColor: colour,
  brandTextColor: colour,
};

function colour(value: string): string | null {
  return /^#[0-9a-f]{6}$/i.test(value) ? null : orgTexts.colourInvalid;
}
