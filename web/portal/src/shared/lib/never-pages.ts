/** Addresses that are never a page of the portal; its service worker leaves navigations to them alone. */

/** The first part of each such path. */
export const NEVER_PAGES = [
  'v1',
  'app',
  'media',
  'images',
  'sandbox',
  '.well-known',
  'openapi.json',
  'pricing',
  'healthz',
  'readyz',
] as const;

/** The same as patterns; workbox matches them against path and query. */
export const neverPagePatterns: RegExp[] = NEVER_PAGES.map(
  (part) => new RegExp(`^/${part.replaceAll('.', '\\.')}(?:[/?]|$)`),
);
