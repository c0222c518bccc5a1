/** Saving an edit when other people may edit the same thing. */
import { statusOf } from '@vitrine/api';

/** Attempts before constant change counts as a conflict. */
const TRIES = 5;

interface Edit<Thing extends { timeModified: string }> {
  /** The state the person was shown. */
  seen: Thing;
  /** Saves the changes if the thing has not changed since then; 409 otherwise. */
  save: (timeModified: string) => Promise<Thing>;
  read: () => Promise<Thing>;
  /** Whether `now` would look the same in the form; other changes are not a conflict. */
  same: (now: Thing) => boolean;
}

/** Saves the edit. Throws the 409 if another person changed what this one was shown. */
export async function saveSeen<Thing extends { timeModified: string }>(edit: Edit<Thing>): Promise<Thing> {
  const { seen, save, read, same } = edit;
  let { timeModified } = seen;
  for (let tries = 1; ; tries += 1) {
    try {
      return await save(timeModified);
    } catch (error) {
      if (statusOf(error) !== 409 || tries === TRIES) throw error;
      const now = await read();
      if (!same(now)) throw error;
      timeModified = now.timeModified;
    }
  }
}
