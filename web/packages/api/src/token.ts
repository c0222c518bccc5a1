/** What an access token says about itself. Read for convenience only: the server alone decides what it is worth. */

/** Whose token it is; null where the text is no token. */
export function subjectOf(token: string): string | null {
  const payload = token.split('.')[1];
  if (payload === undefined) return null;
  try {
    const value: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    if (typeof value !== 'object' || value === null || !('sub' in value)) return null;
    return typeof value.sub === 'string' && value.sub !== '' ? value.sub : null;
  } catch {
    return null;
  }
}
