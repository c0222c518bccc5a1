/** What an access token says about itself. Read for convenience only: the server alone decides what it is worth. */

/** The claims in use: whose token it is, and when it was made (epoch milliseconds). */
export interface Claims {
  subject: string | null;
  issuedAt: number | null;
}

/** Reads the claims; both are null where the text is no token. */
export function claimsOf(token: string): Claims {
  const none: Claims = { subject: null, issuedAt: null };
  const payload = token.split('.')[1];
  if (payload === undefined) return none;
  try {
    const value: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    if (typeof value !== 'object' || value === null) return none;
    const { sub, iat } = value as { sub?: unknown; iat?: unknown };
    return {
      subject: typeof sub === 'string' ? sub : null,
      issuedAt: typeof iat === 'number' ? iat * 1000 : null,
    };
  } catch {
    return none;
  }
}
