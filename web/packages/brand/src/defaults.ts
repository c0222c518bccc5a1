import { palette } from '@vitrine/tokens';
import { PAPER } from './contrast.ts';

/** The colors of a new organisation, as the server sets them. */
export const brandDefaults = {
  primaryColor: palette.orange[7],
  secondaryColor: palette.purple[7],
  brandTextColor: PAPER,
} as const;
