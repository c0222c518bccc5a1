/** Lists as the person saw them last: kept on the device for times without a connection, until the person signs out. */
import { codeOf } from '@vitrine/api';
import { session } from './session.ts';

const PREFIX = 'vitrine.viewer.seen.';
/** The storage also holds events, which matter more. */
const MOST_LISTS = 40;
const LONGEST = 200_000;

interface SeenAnswer {
  time: number;
  answer: unknown;
}

/** Returns the server's answer; without a connection, what it answered last, if that is known. */
export async function orSeenLast<Answer>(name: string, call: () => Promise<Answer>): Promise<Answer> {
  const person = session.person();
  try {
    const answer = await call();
    if (person !== null && session.person() === person) keep(keyOf(person, name), answer);
    return answer;
  } catch (error) {
    const last = person !== null && codeOf(error) === 'network' ? read(keyOf(person, name)) : null;
    if (last === null) throw error;
    return last.answer as Answer;
  }
}

/** Removes everything but what the signed-in person saw. */
export function forgetOthers(): void {
  const person = session.person();
  const own = person === null ? null : keyOf(person, '');
  for (const key of keys()) if (own === null || !key.startsWith(own)) localStorage.removeItem(key);
  // Pictures are not kept by person.
  if (person !== null || !('caches' in window)) return;
  for (const name of ['pictures', 'posters']) void caches.delete(name).catch(() => undefined);
}

function keyOf(person: string, name: string): string {
  return `${PREFIX}${person} ${name}`;
}

function keep(key: string, answer: unknown): void {
  const text = JSON.stringify({ time: Date.now(), answer } satisfies SeenAnswer);
  if (text.length > LONGEST) return;
  try {
    localStorage.setItem(key, text);
  } catch {
    // Storage is full or forbidden; then there is nothing to see without a connection.
    return;
  }
  const all = keys();
  if (all.length <= MOST_LISTS) return;
  const oldest = all.toSorted((a, b) => (read(a)?.time ?? 0) - (read(b)?.time ?? 0));
  for (const old of oldest.slice(0, all.length - MOST_LISTS)) localStorage.removeItem(old);
}

function read(key: string): SeenAnswer | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof kept === 'object' && kept !== null && 'time' in kept && 'answer' in kept
      ? (kept as SeenAnswer)
      : null;
  } catch {
    return null;
  }
}

function keys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}
