/** How names and values of the export read. */

/** Returns a key as words: `timeCreated` becomes "Time created". */
export function labelOf(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Orders the parts of the export for reading: the profile, then what holds something. The server sorts by name. */
export function partsOf(stored: Record<string, unknown>): [string, unknown][] {
  const rank = ([key, value]: [string, unknown]) =>
    key === 'profile' ? 0 : Array.isArray(value) && value.length === 0 ? 2 : 1;
  return Object.entries(stored).toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the names that the export itself has for the ids in it, such as those of organizations. */
export function namesIn(stored: unknown): ReadonlyMap<string, string> {
  if (typeof stored !== 'object' || stored === null) return new Map();
  const { orgId, uid, name } = stored as Record<string, unknown>;
  const id = orgId ?? uid;
  const own = typeof id === 'string' && typeof name === 'string' && name !== '' ? [[id, name] as const] : [];
  return new Map([...own, ...Object.values(stored).flatMap((value) => [...namesIn(value)])]);
}

/** Returns whether a text is a time as the server writes it. */
export function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text);
}
