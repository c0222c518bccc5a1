/** Claims of an access token. Not verified here; only the server decides whether a token is valid. */
import { jwtDecode } from 'jwt-decode';

/** Returns the subject of a token, or null if the text is not a token. */
export function subjectOf(token: string): string | null {
  try {
    const value: unknown = jwtDecode(token);
    if (typeof value !== 'object' || value === null || !('sub' in value)) return null;
    return typeof value.sub === 'string' && value.sub !== '' ? value.sub : null;
  } catch {
    return null;
  }
}
