/** Many uploads, two at a time: what waits, what runs, what failed, and what a reload interrupted. */
import { ApiProblem, type FileDescription, messageOf, statusOf, type UploadOut } from '@vitrine/api';
import { hold, type Remembered, uploadMemory } from './memory.ts';
import { type Begun, OTHER_FILE, type UploadPhase, upload } from './upload.ts';

/** Where one upload stands. */
export type EntryState =
  | { step: 'queued' }
  /** A reload took its file away: the person chooses it again. */
  | { step: 'missing'; message: string }
  | { step: 'working'; phase: UploadPhase }
  /** The bytes are there; what follows is being done. */
  | { step: 'finishing' }
  /** The bytes are there; what follows failed and can be tried again alone. */
  | { step: 'unfinished' }
  | { step: 'failed'; message: string }
  | { step: 'done' };

/** One upload, as screens see it. */
export interface Entry<Job> {
  id: string;
  name: string;
  size: number;
  lastModified: number;
  job: Job;
  uid: string | null;
  state: EntryState;
  /** A dialog shows it, so that the panel need not. */
  followed: boolean;
}

/** What the queue cannot know of itself. */
export interface Work<Job> {
  create: (job: Job, file: FileDescription) => Promise<UploadOut>;
  /** After the bytes have arrived. */
  finish: (job: Job, uid: string) => Promise<unknown>;
  discard: (job: Job, uid: string) => Promise<unknown>;
  told: (job: Job, what: 'done' | 'unfinished' | 'failed') => void;
}

/** Uploads that run at the same time. */
export const AT_ONCE = 2;

/** What screens need not see. */
interface Hidden {
  file: File | null;
  begun: Begun | null;
  stop: AbortController | null;
  release: () => void;
}

export class UploadQueue<Job> {
  private entries: readonly Entry<Job>[] = [];
  private readonly hidden = new Map<string, Hidden>();
  private readonly listeners = new Set<() => void>();
  private readonly work: Work<Job>;
  private owner = '';

  constructor(work: Work<Job>) {
    this.work = work;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly snapshot = (): readonly Entry<Job>[] => this.entries;

  /** Whose uploads these are; somebody else's are stopped, and shown again when they return. */
  async belongTo(owner: string): Promise<void> {
    if (owner === this.owner) return;
    this.owner = owner;
    for (const id of [...this.hidden.keys()]) this.close(id);
    this.publish([]);
    if (owner === '') return;
    const remembered = await uploadMemory.all<Job>(owner, Date.now());
    if (owner !== this.owner) return;
    const missing = remembered.filter(({ id }) => !this.hidden.has(id));
    for (const { id, begun } of missing) this.open(id, null, begun);
    this.publish([
      ...missing.map(({ id, name, size, lastModified, job, begun }) => {
        const state: EntryState = { step: 'missing', message: '' };
        return { id, name, size, lastModified, job, uid: begun?.uid ?? null, state, followed: false };
      }),
      ...this.entries,
    ]);
  }

  /** Takes files in; answers the ids of their entries. */
  add(wanted: readonly { file: File; job: Job }[], { followed = false } = {}): string[] {
    const fresh = wanted.map(({ file, job }): Entry<Job> => {
      const id = crypto.randomUUID();
      this.open(id, file, null);
      const { name, size, lastModified } = file;
      return { id, name, size, lastModified, job, uid: null, state: { step: 'queued' }, followed };
    });
    this.publish([...this.entries, ...fresh]);
    for (const { id } of fresh) this.remember(id);
    this.pump();
    return fresh.map(({ id }) => id);
  }

  /** Gives a file back to an upload that lost it. */
  give(id: string, file: File): void {
    const entry = this.find(id);
    const hidden = this.hidden.get(id);
    if (entry?.state.step !== 'missing' || hidden === undefined) return;
    if (file.name !== entry.name || file.size !== entry.size) {
      this.put(id, { state: { step: 'missing', message: OTHER_FILE } });
      return;
    }
    hidden.file = file;
    this.put(id, { state: { step: 'queued' } });
    this.pump();
  }

  /** Tries a failed one again, or only what follows if the bytes are there. */
  retry(id: string): void {
    const entry = this.find(id);
    if (entry?.state.step === 'unfinished' && entry.uid !== null) void this.finish(entry, entry.uid);
    if (entry?.state.step !== 'failed') return;
    this.put(id, { state: { step: 'queued' } });
    this.pump();
  }

  /** Stops it and takes its place back; one that is done only leaves the list. */
  cancel(id: string): void {
    const entry = this.find(id);
    const begun = this.hidden.get(id)?.begun ?? null;
    if (entry === undefined) return;
    const arrived = ['done', 'finishing', 'unfinished'].includes(entry.state.step);
    this.close(id);
    uploadMemory.drop(id);
    this.publish(this.entries.filter((one) => one.id !== id));
    if (begun !== null && !arrived) void this.work.discard(entry.job, begun.uid).catch(() => undefined);
    this.pump();
  }

  /** Takes those that are done off the list. */
  clear(): void {
    for (const { id, state } of this.entries) if (state.step === 'done') this.cancel(id);
  }

  /** Whether a dialog shows it. */
  follow(id: string, followed: boolean): void {
    // What a dialog has shown to the end needs no panel.
    if (!followed && this.find(id)?.state.step === 'done') this.cancel(id);
    else this.put(id, { followed });
  }

  private pump(): void {
    const running = this.entries.filter(({ state }) => state.step === 'working' || state.step === 'finishing').length;
    const next = this.entries.filter(({ state }) => state.step === 'queued').slice(0, Math.max(0, AT_ONCE - running));
    for (const entry of next) void this.run(entry);
  }

  private async run(entry: Entry<Job>): Promise<void> {
    const { id, job } = entry;
    const hidden = this.hidden.get(id);
    if (hidden?.file == null) return;
    const stop = new AbortController();
    hidden.stop = stop;
    this.put(id, { state: { step: 'working', phase: { step: 'hashing', share: 0 } } });
    try {
      const { uid } = await upload({
        file: hidden.file,
        begun: hidden.begun,
        create: (file) => this.work.create(job, file),
        onBegun: (begun) => {
          const late = stop.signal.aborted && hidden.begun === null;
          hidden.begun = begun;
          // Cancelled while the place was asked for: there was nothing to take back then.
          if (late) return void this.work.discard(job, begun.uid).catch(() => undefined);
          this.put(id, { uid: begun.uid });
          this.remember(id);
        },
        signal: stop.signal,
        onPhase: (phase) => {
          if (!stop.signal.aborted) this.put(id, { state: { step: 'working', phase } });
        },
      });
      uploadMemory.drop(id);
      await this.finish(entry, uid);
    } catch (error) {
      if (!stop.signal.aborted) this.fail(entry, hidden, error);
    }
    this.pump();
  }

  private async finish({ id, job }: Entry<Job>, uid: string): Promise<void> {
    this.put(id, { uid, state: { step: 'finishing' } });
    const done = await this.work.finish(job, uid).then(
      () => true,
      () => false,
    );
    this.put(id, { state: { step: done ? 'done' : 'unfinished' } });
    this.work.told(job, done ? 'done' : 'unfinished');
    if (done) this.hidden.get(id)?.release();
  }

  private fail({ id, job }: Entry<Job>, hidden: Hidden, error: unknown): void {
    if (error instanceof ApiProblem && error.code === 'other_file') {
      hidden.file = null;
      this.put(id, { state: { step: 'missing', message: OTHER_FILE } });
      return;
    }
    // What was judged is never taken back, a refused place is; either way the next try asks for a new one.
    const judged = error instanceof ApiProblem && error.code === 'upload';
    const refused = statusOf(error) < 500;
    if ((judged || refused) && hidden.begun !== null) {
      if (refused) void this.work.discard(job, hidden.begun.uid).catch(() => undefined);
      hidden.begun = null;
      this.remember(id);
    }
    this.put(id, { state: { step: 'failed', message: messageOf(error) } });
    this.work.told(job, 'failed');
  }

  private remember(id: string): void {
    const entry = this.find(id);
    if (entry === undefined || this.owner === '') return;
    const { name, size, lastModified, job } = entry;
    const begun = this.hidden.get(id)?.begun ?? null;
    const time = Date.now();
    uploadMemory.put({ id, owner: this.owner, name, size, lastModified, job, begun, time } satisfies Remembered<Job>);
  }

  private open(id: string, file: File | null, begun: Begun | null): void {
    this.hidden.set(id, { file, begun, stop: null, release: hold(id) });
  }

  private close(id: string): void {
    const hidden = this.hidden.get(id);
    hidden?.stop?.abort(new DOMException('The upload was stopped.', 'AbortError'));
    hidden?.release();
    this.hidden.delete(id);
  }

  private find(id: string): Entry<Job> | undefined {
    return this.entries.find((entry) => entry.id === id);
  }

  private put(id: string, change: Partial<Entry<Job>>): void {
    this.publish(this.entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)));
  }

  private publish(entries: readonly Entry<Job>[]): void {
    this.entries = entries;
    this.guardPage(entries.some(isGoingOn));
    for (const listener of this.listeners) listener();
  }

  private guardPage(busy: boolean): void {
    if (busy) window.addEventListener('beforeunload', warn);
    else window.removeEventListener('beforeunload', warn);
  }
}

/** Whether leaving the page would interrupt it. */
export function isGoingOn({ state }: Pick<Entry<unknown>, 'state'>): boolean {
  return state.step === 'queued' || state.step === 'working' || state.step === 'finishing';
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
