/** The colors of a new organisation, as the server sets them. */
export const brandDefaults = {
  primaryColor: '#ca4500',
  secondaryColor: '#703cd2',
  brandTextColor: '#ffffff',
} as const;
