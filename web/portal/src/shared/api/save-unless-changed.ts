/** Saving an edit when other people may edit the same thing. */
import { statusOf } from '@vitrine/api';

/** Attempts before constant change counts as a conflict. */
const TRIES = 5;

interface Edit<Thing extends { timeModified: string }> {
  /** The version the edit started from. */
  base: Thing;
  /** Saves the changes if the thing was last modified at that time; 409 otherwise. */
  save: (expectedModifiedAt: string) => Promise<Thing>;
  read: () => Promise<Thing>;
  /** Whether `now` would look the same in the form; other changes are not a conflict. */
  same: (now: Thing) => boolean;
}

/** Saves the edit. Throws the 409 if another person changed the fields of the form since `base`. */
export async function saveUnlessChanged<Thing extends { timeModified: string }>(edit: Edit<Thing>): Promise<Thing> {
  const { base, save, read, same } = edit;
  let expectedModifiedAt = base.timeModified;
  for (let tries = 1; ; tries += 1) {
    try {
      return await save(expectedModifiedAt);
    } catch (error) {
      if (statusOf(error) !== 409 || tries === TRIES) throw error;
      const now = await read();
      if (!same(now)) throw error;
      expectedModifiedAt = now.timeModified;
    }
  }
}
