/** The details form: values and required fields. */
import type { ProfileIn, ProfileOut } from '@vitrine/api';
import { DETAILS } from './texts.ts';

/** Values of the form. */
export type Details = Pick<
  ProfileOut,
  'firstName' | 'lastName' | 'phoneNumber' | 'company' | 'jobTitle' | 'businessArea'
>;

/** Error messages by field. */
export type DetailErrors = Partial<Record<keyof Details, string>>;

/** Returns the form values of a profile. */
export function detailsOf(profile: Details): Details {
  const { firstName, lastName, phoneNumber, company, jobTitle, businessArea } = profile;
  return { firstName, lastName, phoneNumber, company, jobTitle, businessArea };
}

/** Returns messages for missing fields; empty if the form is complete. */
export function checkDetails(details: Details): DetailErrors {
  const missing = Object.entries(DETAILS.required).filter(([field]) => details[field as keyof Details].trim() === '');
  return Object.fromEntries(missing);
}

/** Builds the patch: trimmed values and the display name. A phone number can be left out, but not cleared. */
export function patchOf(details: Details, had: Pick<Details, 'phoneNumber'>): ProfileIn {
  const trimmed = Object.fromEntries(
    Object.entries(details).map(([field, value]) => [field, value.trim()]),
  ) as unknown as Details;
  const { phoneNumber, ...others } = trimmed;
  const phone = phoneNumber === '' && had.phoneNumber === '' ? {} : { phoneNumber };
  return { ...others, ...phone, displayName: `${trimmed.firstName} ${trimmed.lastName}` };
}
