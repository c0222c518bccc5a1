/** Countries and calling codes, in words. */

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** English name of an ISO 3166 code; empty for an empty or unknown one. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? '') : '';
}
