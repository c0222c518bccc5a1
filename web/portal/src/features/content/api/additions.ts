/** Batches additions to a playlist, so that many finished uploads need few calls. */
import { ApiProblem } from '@vitrine/api';
import { wait } from '~/shared/lib/retry.ts';

/** How long to collect additions before sending them. */
const GATHER_MS = 300;
/** Client errors that are not about the items in the call. */
const PASSING = [401, 408, 409, 429];

interface Addition {
  uid: string;
  done: () => void;
  failed: (error: unknown) => void;
}

/** Sends additions to the same playlist together, one call at a time. */
export class Additions<Target extends { key: string }> {
  private readonly waiting = new Map<string, Addition[]>();
  private readonly busy = new Set<string>();
  private readonly append: (target: Target, uids: string[]) => Promise<unknown>;

  constructor(append: (target: Target, uids: string[]) => Promise<unknown>) {
    this.append = append;
  }

  /** Resolves once the item is in the playlist. */
  add(target: Target, uid: string): Promise<void> {
    const { key } = target;
    return new Promise((done, failed) => {
      const others = this.waiting.get(key) ?? [];
      this.waiting.set(key, [...others, { uid, done, failed }]);
      if (!this.busy.has(key)) void this.run(target);
    });
  }

  private async run(target: Target): Promise<void> {
    const { key } = target;
    this.busy.add(key);
    while (this.waiting.has(key)) {
      await wait(GATHER_MS);
      const batch = this.waiting.get(key) ?? [];
      this.waiting.delete(key);
      await this.send(target, batch);
    }
    this.busy.delete(key);
  }

  private async send(target: Target, batch: readonly Addition[]): Promise<void> {
    try {
      await this.append(
        target,
        batch.map(({ uid }) => uid),
      );
      for (const { done } of batch) done();
    } catch (error) {
      if (batch.length === 1 || !isRefusal(error)) {
        for (const { failed } of batch) failed(error);
        return;
      }
      // Send them one by one, so that a refused item does not fail the others.
      for (const one of batch) await this.send(target, [one]);
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiProblem && error.status < 500 && !PASSING.includes(error.status);
}
