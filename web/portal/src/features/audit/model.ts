/** What an entry of the audit log shows. */
import type { AuditAction, AuditEntryOut } from '@vitrine/api';
import { orgTexts } from '~/features/orgs/texts.ts';
import { locale } from '~/shared/lib/locale.ts';
import { reasonText } from './plan-reason.ts';
import { auditTexts } from './texts.ts';

/** A changed field, as text. */
export interface AuditChange {
  field: string;
  /** Null if the field had no value. */
  before: string | null;
  after: string;
}

/** The actions that an organisation's log contains, for the filter. */
export const auditActions = (Object.keys(auditTexts.actions) as AuditAction[]).filter(
  (action) => !action.startsWith('account.'),
);

const fields: Readonly<Record<string, string>> = auditTexts.fields;
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  role: orgTexts.roles,
  state: auditTexts.states,
};

/** Fields whose values are addresses of images, which say nothing to a reader. */
const images = ['logoUrl', 'theme.backgroundUrl', 'preview'];

const longDate = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** Formats the time of day. */
export const timeOf = (iso: string) => time.format(Date.parse(iso));

/** Groups entries, newest first, by the day on which they happened. */
export function daysOf(entries: readonly AuditEntryOut[]): { day: string; entries: AuditEntryOut[] }[] {
  const days: { day: string; entries: AuditEntryOut[] }[] = [];
  for (const entry of entries) {
    const day = longDate.format(Date.parse(entry.time));
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}

const planStates: Readonly<Record<string, string>> = auditTexts.planStates;

/** Returns what was done. */
export function titleOf({ action, after }: Pick<AuditEntryOut, 'action' | 'after'>): string {
  const became = action === 'account.planStateChanged' ? planStates[String(after?.state)] : undefined;
  return became ?? auditTexts.actions[action];
}

/** Returns the name to show for the target. */
export function nameOf({ type, name }: AuditEntryOut['target']): string {
  return name === '' && type === 'person' ? auditTexts.deleted : name;
}

const gone: Readonly<Record<string, string>> = auditTexts.gone;

/** Changes whose title already says that the target is gone. */
const endings: readonly AuditAction[] = ['person.removed', 'person.left', 'playlist.deleted', 'content.deleted'];

/** Returns what became of a target that is no longer there, or null. */
export function goneOf({
  action,
  target: { type, name, exists },
}: Pick<AuditEntryOut, 'action' | 'target'>): string | null {
  return exists || name === '' || endings.includes(action) ? null : (gone[type] ?? null);
}

/** Returns the page about the target, if there is one. */
export function pageOf({ type, id, exists }: AuditEntryOut['target'], orgId: string): string | null {
  if (!exists) return null;
  if (type === 'playlist') return `/org/${orgId}/playlists/${id}`;
  return type === 'content' ? `/org/${orgId}/analytics/content/${id}` : null;
}

/** Returns why the state of a plan changed, as a sentence; null for other entries. */
export function reasonOf({ action, after }: Pick<AuditEntryOut, 'action' | 'after'>): string | null {
  return action === 'account.planStateChanged' ? reasonText(after?.reason, after?.unpaidSince) : null;
}

/** Returns who did what no person did. */
export function systemOf({ action, after }: Pick<AuditEntryOut, 'action' | 'after'>): string {
  const isOfProvider = action === 'account.planChanged' || ['event', 'check'].includes(String(after?.cause));
  return isOfProvider ? auditTexts.provider : auditTexts.system;
}

/** Returns the changed fields of an entry, nested ones one by one. */
export function changesOf({
  before,
  after,
  titles,
}: Pick<AuditEntryOut, 'before' | 'after' | 'titles'>): AuditChange[] {
  const [old, now] = [flat(before), flat(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names
    .filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)))
    .map((name) => ({
      field: fields[name] ?? name,
      before: isEmpty(old.get(name)) || images.includes(name) ? null : textOf(name, old.get(name), titles),
      after: textOf(name, now.get(name), titles),
    }));
}

/** Maps paths such as `theme.primaryColor` to their values; lists count as one value. */
function flat(value: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const add = (path: string, part: unknown) => {
    if (typeof part === 'object' && part !== null && !Array.isArray(part)) {
      for (const [name, inner] of Object.entries(part)) add(path === '' ? name : `${path}.${name}`, inner);
    } else if (path !== '') {
      found.set(path, part);
    }
  };
  add('', value);
  return found;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function textOf(name: string, value: unknown, titles: AuditEntryOut['titles']): string {
  if (isEmpty(value)) return auditTexts.empty;
  // Pinned playlists, in their order.
  if (Array.isArray(value)) return value.map((id) => textOf('defaultPlaylist', id, titles)).join(', ');
  if (name === 'defaultPlaylist') return titles[String(value)] ?? auditTexts.deletedPlaylist;
  if (images.includes(name)) return auditTexts.newImage;
  return words[name]?.[String(value)] ?? String(value);
}
