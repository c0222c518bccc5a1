/** What a phone number tells about its country; brings the number metadata, so it is loaded by those who need it. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { countryName } from './country.ts';

/** Calling code of an international number, such as +44; empty when it cannot be told. */
export function callingCodeOf(phoneNumber: string): string {
  const code = parsePhoneNumberFromString(phoneNumber)?.countryCallingCode;
  return code === undefined ? '' : `+${code}`;
}

/** Country of an international number in English, or its calling code where several share it; empty when neither can be told. */
export function phoneCountry(phoneNumber: string): string {
  const country = parsePhoneNumberFromString(phoneNumber)?.country;
  return country === undefined ? callingCodeOf(phoneNumber) : countryName(country);
}
