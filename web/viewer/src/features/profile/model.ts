/** The details of a person: what is asked, and what may not be left out. */
import type { ProfileOut, ProfilePatch } from '@vitrine/api';
import { DETAILS } from './texts.ts';

/** The fields of the form. */
export type Details = Pick<
  ProfileOut,
  'firstName' | 'lastName' | 'phoneNumber' | 'company' | 'jobTitle' | 'businessArea'
>;

/** Messages by field. */
export type DetailErrors = Partial<Record<keyof Details, string>>;

/** The form's values for a profile. */
export function detailsOf(profile: Details): Details {
  const { firstName, lastName, phoneNumber, company, jobTitle, businessArea } = profile;
  return { firstName, lastName, phoneNumber, company, jobTitle, businessArea };
}

/** What is missing; empty when the form may be sent. */
export function checkDetails(details: Details): DetailErrors {
  const missing = Object.entries(DETAILS.required).filter(([field]) => details[field as keyof Details].trim() === '');
  return Object.fromEntries(missing);
}

/** What is sent: trimmed, with the name other people see. */
export function patchOf(details: Details): ProfilePatch {
  const trimmed = Object.fromEntries(
    Object.entries(details).map(([field, value]) => [field, value.trim()]),
  ) as unknown as Details;
  return { ...trimmed, displayName: `${trimmed.firstName} ${trimmed.lastName}` };
}
