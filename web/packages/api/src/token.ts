/** Claims of an access token. Not verified here; only the server decides whether a token is valid. */
import { jwtDecode } from 'jwt-decode';

/** The claims in use. */
export interface Claims {
  /** The person; null if the token does not say. */
  subject: string | null;
  /** When the server issued the token, in epoch milliseconds; null if the token does not say. */
  issuedAt: number | null;
}

/** Reads the claims; both are null if the text is not a token. */
export function claimsOf(token: string): Claims {
  const none: Claims = { subject: null, issuedAt: null };
  try {
    const value: unknown = jwtDecode(token);
    if (typeof value !== 'object' || value === null) return none;
    const { sub, iat } = value as { sub?: unknown; iat?: unknown };
    return {
      subject: typeof sub === 'string' && sub !== '' ? sub : null,
      issuedAt: typeof iat === 'number' ? iat * 1000 : null,
    };
  } catch {
    return none;
  }
}
