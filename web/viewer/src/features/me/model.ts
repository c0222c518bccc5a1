/** How names and values of the export read. */

/** Returns a key as words: `timeCreated` becomes "Time created". */
export function labelOf(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What only explains the other parts. */
const EXPLAINS = 'titles';

/** Orders the parts of the export for reading: the profile, then what holds something. The server sorts by name. */
export function partsOf(stored: Record<string, unknown>): [string, unknown][] {
  const rank = ([key, value]: [string, unknown]) =>
    key === 'profile' ? 0 : Array.isArray(value) && value.length === 0 ? 2 : 1;
  return Object.entries(stored)
    .filter(([key]) => key !== EXPLAINS)
    .toSorted((a, b) => rank(a) - rank(b));
}

/** What an id of the export stands for. */
interface Named {
  name: string;
  /** Of an item. */
  kind: unknown;
}

/** Names by id. */
export type Names = ReadonlyMap<string, Named>;

/** Returns what the export itself has for the ids in it: organizations by their name, the rest by its title. */
export function namesIn(stored: unknown): Names {
  const names = new Map<string, Named>();
  addNames(stored, names);
  return names;
}

function addNames(stored: unknown, names: Map<string, Named>): void {
  if (typeof stored !== 'object' || stored === null) return;
  const { orgId, uid, name, title, kind } = stored as Record<string, unknown>;
  const [id, text] = typeof name === 'string' ? [orgId ?? uid, name] : [uid, title];
  if (typeof id === 'string' && typeof text === 'string' && text !== '') names.set(id, { name: text, kind });
  for (const value of Object.values(stored)) addNames(value, names);
}

/** The fields that refer to an item or a playlist. */
const REFERENCES = ['contentId', 'playlistId', 'item'];

/** Returns whether a field is about an item or a playlist that the person may not see now. The server leaves its title out. */
export function isUnavailable(field: string, value: unknown, names: Names): boolean {
  return field === 'title'
    ? value === null
    : REFERENCES.includes(field) && typeof value === 'string' && !names.has(value);
}

/** What an entry is about comes first. */
const FIRST = [
  ...['orgId', 'name', 'friendlyName', 'displayName', 'firstName', 'lastName', 'email'],
  ...['title', 'contentId', 'playlistId', 'item', 'action', 'type', 'cause', 'time'],
];

/** Returns the fields of an entry in the order of reading, without ids beside the name that they stand for. */
export function fieldsOf(entry: object): [string, unknown][] {
  const hasName = ['name', 'friendlyName', 'title'].some((field) => field in entry);
  const isShown = (field: string) => !(field === 'uid' && hasName) && !(field === 'name' && 'orgId' in entry);
  const rank = ([field]: [string, unknown]) => (FIRST.includes(field) ? FIRST.indexOf(field) : FIRST.length);
  return Object.entries(entry)
    .filter(([field]) => isShown(field))
    .toSorted((a, b) => rank(a) - rank(b));
}

/** Returns how a number reads: lengths and positions as times, positions in a document as pages. */
export function numberOf(
  key: string,
  value: number,
  kind: unknown,
): { unit: 'ms' | 'page' | 'pages' | 'none'; value: number } {
  if (key.endsWith('Ms')) return { unit: 'ms', value };
  const isPlace = key === 'position' || key === 'length';
  if (isPlace && kind === 'pdf') return { unit: key === 'length' ? 'pages' : 'page', value };
  if (isPlace && (kind === 'video' || kind === 'audio' || kind === 'embed')) return { unit: 'ms', value };
  return { unit: 'none', value: Math.round(value * 10) / 10 };
}

/** Returns whether a text is a time as the server writes it. */
export function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text);
}
