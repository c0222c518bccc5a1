/** Saving what a person edited while other people may edit it too. */
import { statusOf } from '@vitrine/api';

/** Tries before a thing that keeps changing counts as changed by another person. */
const TRIES = 5;

interface Edit<Thing extends { timeModified: string }> {
  /** The state the person saw. */
  seen: Thing;
  /** Saves the changes if the thing has not changed since then; 409 otherwise. */
  save: (timeModified: string) => Promise<Thing>;
  read: () => Promise<Thing>;
  /** Whether the person would have seen the same. Whatever else has changed is no conflict. */
  same: (now: Thing) => boolean;
}

/** Saves unless another person has changed what this one saw; the 409 is then thrown. */
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
