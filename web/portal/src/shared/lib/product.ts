/** The product's name and version, in one place. */
export const PRODUCT = 'Vitrine';
/** Shown under Settings. */
export const VERSION = '2.2.4';
