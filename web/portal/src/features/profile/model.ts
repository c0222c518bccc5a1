/** Values and rules of the own profile. */
import type { ProfileOut, ProfilePatch } from '@vitrine/api';
import { profileTexts } from './texts.ts';

/** First and last name joined by a space; what a save sends as the display name. */
export function displayNameOf(names: { firstName: string; lastName: string }): string {
  return `${names.firstName.trim()} ${names.lastName.trim()}`.trim();
}

/** How a person is called on a screen: the display name, or the e-mail where there is none. */
export function nameOf(profile: Pick<ProfileOut, 'displayName' | 'email'>): string {
  return profile.displayName.trim() === '' ? profile.email : profile.displayName;
}

/** Fields of the first onboarding step. */
export interface UserDetails {
  firstName: string;
  lastName: string;
  phoneNumber: string;
  terms: boolean;
}

/** Messages of the first step; null where a field is fine. */
export const userDetailsRules = {
  firstName: (value: string) => required(value, profileTexts.firstNameRequired),
  lastName: (value: string) => required(value, profileTexts.lastNameRequired),
  phoneNumber: (value: string) => required(value, profileTexts.phoneRequired),
  terms: (value: boolean) => (value ? null : profileTexts.acceptTerms),
};

/** Fields of the profile form. */
export interface ProfileForm {
  firstName: string;
  lastName: string;
  company: string;
  jobTitle: string;
  businessArea: string;
  phoneNumber: string;
}

/** Messages of the profile form. */
export const profileRules = {
  firstName: userDetailsRules.firstName,
  lastName: userDetailsRules.lastName,
  company: (value: string) => required(value, profileTexts.companyRequired),
  phoneNumber: userDetailsRules.phoneNumber,
};

/** The form of a loaded profile. */
export function formOf(profile: ProfileOut): ProfileForm {
  const { firstName, lastName, company, jobTitle, businessArea, phoneNumber } = profile;
  return { firstName, lastName, company, jobTitle, businessArea, phoneNumber };
}

/** What a save sends: the fields, the display name, and the photo where it is new. */
export function patchOf(form: ProfileForm, photoURL: string | null): ProfilePatch {
  return { ...form, displayName: displayNameOf(form), ...(photoURL === null ? {} : { photoURL }) };
}

function required(value: string, message: string): string | null {
  return value.trim() === '' ? message : null;
}
