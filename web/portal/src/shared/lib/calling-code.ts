/** Derives the country from a phone number. Imports the number metadata, so load it on demand. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { countryName } from './country.ts';

/** Returns the calling code of an international number, such as +44, or an empty string. */
export function callingCodeOf(phoneNumber: string): string {
  const code = parsePhoneNumberFromString(phoneNumber)?.countryCallingCode;
  return code === undefined ? '' : `+${code}`;
}

/** Returns the country of an international number, or its calling code if several share it; empty if unknown. */
export function phoneCountry(phoneNumber: string): string {
  const country = parsePhoneNumberFromString(phoneNumber)?.country;
  return country === undefined ? callingCodeOf(phoneNumber) : countryName(country);
}
