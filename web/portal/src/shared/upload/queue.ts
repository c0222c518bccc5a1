/** The upload queue: runs two uploads at a time and restores those a reload interrupted. */
import { ApiProblem, type FileIn, messageOf, retrying, statusOf, type UploadOut } from '@vitrine/api';
import { commonTexts } from '../lib/texts.ts';
import { type Entry, type EntryState, hasArrived, isGoingOn } from './entry.ts';
import { hold, type Remembered, uploadMemory } from './memory.ts';
import { type Begun, isRefusal, PATIENT, readUpload, upload } from './upload.ts';

/** Callbacks the owner of the queue provides. */
export interface Work<Job> {
  create: (job: Job, file: FileIn) => Promise<UploadOut>;
  /** Runs after all bytes are uploaded. */
  finish: (job: Job, uid: string) => Promise<unknown>;
  /** Deletes an unfinished upload at the server. */
  discard: (job: Job, begun: Begun) => Promise<unknown>;
  report: (job: Job, what: 'done' | 'unfinished' | 'failed', error?: unknown) => void;
  /** The signed-in person; empty if signed out. */
  person: () => string;
}

/** Concurrent uploads. */
export const AT_ONCE = 2;

/** State that screens do not see. */
interface Hidden {
  owner: string;
  added: number;
  file: File | null;
  begun: Begun | null;
  stop: AbortController;
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

  /** Sets the person the queue belongs to. Another person's uploads stop and are restored when that person returns. */
  async belongTo(owner: string): Promise<void> {
    if (owner === this.owner) return;
    this.owner = owner;
    for (const id of [...this.hidden.keys()]) this.close(id);
    this.publish([]);
    if (owner === '') return;
    const remembered = await uploadMemory.all<Job>(owner, Date.now());
    if (owner !== this.owner) return;
    const missing = remembered.filter(({ id }) => !this.hidden.has(id));
    for (const { id, begun, added } of missing) this.open(id, null, begun, added);
    this.publish([
      ...missing.map(({ id, name, size, lastModified, job, begun }) => {
        const state: EntryState =
          begun === null ? { step: 'missing', message: '' } : { step: 'working', phase: { step: 'checking' } };
        return { id, name, size, lastModified, job, uid: begun?.uid ?? null, state, followed: false };
      }),
      ...this.entries,
    ]);
    await Promise.all(missing.map(({ id }) => this.resume(id)));
  }

  /** Adds files; returns the ids of their entries. */
  add(wanted: readonly { file: File; job: Job }[], { followed = false } = {}): string[] {
    const first = Math.max(Date.now(), 1 + Math.max(...[...this.hidden.values()].map(({ added }) => added)));
    const fresh = wanted.map(({ file, job }, index): Entry<Job> => {
      const id = crypto.randomUUID();
      this.open(id, file, null, first + index);
      const { name, size, lastModified } = file;
      return { id, name, size, lastModified, job, uid: null, state: { step: 'queued' }, followed };
    });
    this.publish([...this.entries, ...fresh]);
    for (const { id } of fresh) this.remember(id);
    this.pump();
    return fresh.map(({ id }) => id);
  }

  /** Reattaches the file to an upload that lost it in a reload. */
  give(id: string, file: File): void {
    const entry = this.find(id);
    const hidden = this.hidden.get(id);
    if (entry?.state.step !== 'missing' || hidden === undefined) return;
    if (file.name !== entry.name || file.size !== entry.size) {
      this.put(id, { state: { step: 'missing', message: commonTexts.differentFile } });
      return;
    }
    hidden.file = file;
    this.put(id, { state: { step: 'queued' } });
    this.pump();
  }

  /** Retries a failed upload, or only its follow-up if all bytes are uploaded. */
  retry(id: string): void {
    const entry = this.find(id);
    if (entry?.state.step === 'unfinished' && entry.uid !== null) void this.finish(entry, entry.uid);
    if (entry?.state.step !== 'failed') return;
    this.put(id, { state: { step: 'queued' } });
    this.pump();
  }

  /** Cancels the upload and deletes it at the server; a finished one only leaves the list. */
  cancel(id: string): void {
    const entry = this.find(id);
    const begun = this.hidden.get(id)?.begun ?? null;
    if (entry === undefined) return;
    const arrived = hasArrived(entry.state);
    this.close(id);
    uploadMemory.drop(id);
    this.publish(this.entries.filter((one) => one.id !== id));
    if (begun !== null && !arrived) this.discard(this.owner, entry.job, begun);
    this.pump();
  }

  /** Removes finished uploads from the list. */
  clear(): void {
    for (const { id, state } of this.entries) if (state.step === 'done') this.cancel(id);
  }

  /** Sets whether a dialog shows the upload. */
  follow(id: string, followed: boolean): void {
    // An upload the dialog showed to the end does not need the panel.
    if (!followed && this.find(id)?.state.step === 'done') this.cancel(id);
    else this.put(id, { followed });
  }

  private pump(): void {
    // Follow-ups do not count: they are batched and should not block the next file.
    const running = this.entries.filter(({ state }) => state.step === 'working').length;
    const next = this.entries.filter(({ state }) => state.step === 'queued').slice(0, Math.max(0, AT_ONCE - running));
    for (const entry of next) void this.run(entry);
  }

  private async run(entry: Entry<Job>): Promise<void> {
    const { id, job } = entry;
    const hidden = this.hidden.get(id);
    if (hidden?.file == null) return;
    const { signal } = hidden.stop;
    const { owner } = hidden;
    this.put(id, { state: { step: 'working', phase: { step: 'hashing', share: 0 } } });
    try {
      const { uid } = await upload({
        file: hidden.file,
        begun: hidden.begun,
        create: (file) => this.asOwner(owner, () => this.work.create(job, file)),
        onBegun: (begun) => {
          const late = signal.aborted && hidden.begun === null;
          hidden.begun = begun;
          // Cancelled while the upload was being created, when there was nothing to delete yet.
          if (late) return this.discard(owner, job, begun);
          this.put(id, { uid: begun.uid });
          this.remember(id);
        },
        signal,
        onPhase: (phase) => {
          if (!signal.aborted) this.put(id, { state: { step: 'working', phase } });
        },
      });
      void this.finish(entry, uid);
    } catch (error) {
      if (!this.hasLeft(hidden)) this.fail(entry, hidden, error);
    }
    this.pump();
  }

  /** Restores an upload after a reload: finishes it if the server has the file, otherwise asks for the file again. */
  private async resume(id: string): Promise<void> {
    const [entry, hidden] = [this.find(id), this.hidden.get(id)];
    if (entry === undefined || hidden?.begun == null) return;
    const { uid } = hidden.begun;
    const status = await this.asOwner(hidden.owner, () => readUpload(uid)).then((now) => now.status, statusOf);
    if (this.hasLeft(hidden)) return;
    if (status === 'available') return this.finish(entry, uid);
    if (status === 'rejected' || status === 404) {
      hidden.begun = null;
      this.remember(id);
    }
    this.put(id, { state: { step: 'missing', message: '' } });
  }

  private async finish({ id, job }: Entry<Job>, uid: string): Promise<void> {
    const hidden = this.hidden.get(id);
    if (hidden === undefined) return;
    const { owner, stop } = hidden;
    const { signal } = stop;
    const onWait = (until: number | null) => this.put(id, { uid, state: { step: 'finishing', until } });
    onWait(null);
    try {
      const finish = () => this.asOwner(owner, () => this.work.finish(job, uid));
      await retrying(finish, { ...PATIENT, repeatable: true, signal, onWait });
    } catch (error) {
      if (this.hasLeft(hidden)) return;
      this.put(id, { state: { step: 'unfinished', error } });
      return this.work.report(job, 'unfinished', error);
    }
    uploadMemory.drop(id);
    hidden.release();
    if (this.hasLeft(hidden)) return;
    this.put(id, { state: { step: 'done' } });
    this.work.report(job, 'done');
  }

  private fail({ id, job }: Entry<Job>, hidden: Hidden, error: unknown): void {
    if (error instanceof ApiProblem && error.code === 'other_file') {
      hidden.file = null;
      this.put(id, { state: { step: 'missing', message: commonTexts.differentFile } });
      return;
    }
    // Delete an upload the server refused. Keep any other: the file may have arrived.
    if (isRefusal(error) && hidden.begun !== null) {
      this.discard(hidden.owner, job, hidden.begun);
      hidden.begun = null;
      this.remember(id);
    }
    this.put(id, { state: { step: 'failed', message: messageOf(error) } });
    this.work.report(job, 'failed', error);
  }

  /** Not awaited: without a connection it would block the queue, and the server removes unfinished uploads anyway. */
  private discard(owner: string, job: Job, begun: Begun): void {
    void this.asOwner(owner, () => this.work.discard(job, begun)).catch(() => undefined);
  }

  /** Runs the call only while the owner is signed in, so that it never uses another person's token. */
  private async asOwner<T>(owner: string, call: () => Promise<T>): Promise<T> {
    if (this.work.person() === owner) return call();
    throw new DOMException('Another person is signed in.', 'AbortError');
  }

  /** Returns whether to drop the upload silently: it was cancelled, or its owner has signed out. */
  private hasLeft({ owner, stop }: Hidden): boolean {
    const person = this.work.person();
    if (person !== owner) void this.belongTo(person);
    return stop.signal.aborted;
  }

  private remember(id: string): void {
    const entry = this.find(id);
    if (entry === undefined || this.owner === '') return;
    const { name, size, lastModified, job } = entry;
    const { begun = null, added = 0 } = this.hidden.get(id) ?? {};
    const remembered = { id, owner: this.owner, name, size, lastModified, job, begun, added, time: Date.now() };
    uploadMemory.put(remembered satisfies Remembered<Job>);
  }

  private open(id: string, file: File | null, begun: Begun | null, added: number): void {
    this.hidden.set(id, { owner: this.owner, added, file, begun, stop: new AbortController(), release: hold(id) });
  }

  private close(id: string): void {
    const hidden = this.hidden.get(id);
    hidden?.stop.abort(new DOMException('The upload was stopped.', 'AbortError'));
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

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
