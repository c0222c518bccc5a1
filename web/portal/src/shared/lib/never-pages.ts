/** Paths that are never portal pages; the service worker does not answer navigations to them. */

/** The first segment of each path. */
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
