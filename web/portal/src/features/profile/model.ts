/** Profile forms and names. */
import type { ProfileIn, ProfileOut } from '@vitrine/api';
import { profileTexts } from './texts.ts';

/** Joins first and last name with a space; saved as the display name. */
export function displayNameOf(names: { firstName: string; lastName: string }): string {
  return `${names.firstName.trim()} ${names.lastName.trim()}`.trim();
}

/** Returns the display name, or the email if there is none. */
export function nameOf(profile: Pick<ProfileOut, 'displayName' | 'email'>): string {
  return profile.displayName.trim() === '' ? profile.email : profile.displayName;
}

/** Values of the first onboarding step. */
export interface UserDetails {
  firstName: string;
  lastName: string;
  phoneNumber: string;
  terms: boolean;
}

/** Validation of the first step; null if a field is valid. */
export const userDetailsRules = {
  firstName: (value: string) => required(value, profileTexts.firstNameRequired),
  lastName: (value: string) => required(value, profileTexts.lastNameRequired),
  phoneNumber: (value: string) => required(value, profileTexts.phoneRequired),
  terms: (value: boolean) => (value ? null : profileTexts.acceptTerms),
};

/** Values of the profile form. */
export interface ProfileForm {
  firstName: string;
  lastName: string;
  company: string;
  jobTitle: string;
  businessArea: string;
  phoneNumber: string;
}

/** Validation of the profile form. */
export const profileRules = {
  firstName: userDetailsRules.firstName,
  lastName: userDetailsRules.lastName,
  company: (value: string) => required(value, profileTexts.companyRequired),
  phoneNumber: userDetailsRules.phoneNumber,
};

/** Returns the form values of a profile. */
export function formOf(profile: ProfileOut): ProfileForm {
  const { firstName, lastName, company, jobTitle, businessArea, phoneNumber } = profile;
  return { firstName, lastName, company, jobTitle, businessArea, phoneNumber };
}

/** Builds the patch: the fields, the display name, and the photo if it changed. */
export function patchOf(form: ProfileForm, photoURL: string | null): ProfileIn {
  return { ...form, displayName: displayNameOf(form), ...(photoURL === null ? {} : { photoURL }) };
}

function required(value: string, message: string): string | null {
  return value.trim() === '' ? message : null;
}
