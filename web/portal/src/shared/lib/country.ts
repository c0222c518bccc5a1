/** Country names. */

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** Returns the English name of an ISO 3166 code, or an empty string. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? '') : '';
}
