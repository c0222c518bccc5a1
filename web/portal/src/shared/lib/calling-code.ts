/** Calling codes of phone numbers; brings the number metadata, so it is loaded with the export that needs it. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Calling code of an international number, such as +44; empty when it cannot be told. */
export function callingCodeOf(phoneNumber: string): string {
  const code = parsePhoneNumberFromString(phoneNumber)?.countryCallingCode;
  return code === undefined ? '' : `+${code}`;
}
