/** One upload of the queue, as screens see it. */
import type { UploadPhase } from './upload.ts';

/** Where one upload stands. */
export type EntryState =
  | { step: 'queued' }
  /** A reload took its file away: the person chooses it again. */
  | { step: 'missing'; message: string }
  | { step: 'working'; phase: UploadPhase }
  /** The bytes are there; what follows is being done, or waits until then (epoch milliseconds) for a busy server. */
  | { step: 'finishing'; until: number | null }
  /** The bytes are there; what follows failed and can be tried again alone. */
  | { step: 'unfinished'; error: unknown }
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

/** Whether the server has acknowledged every byte: such an upload is never taken back. */
export function hasArrived(state: EntryState): boolean {
  if (state.step === 'working') return state.phase.step === 'checking';
  return state.step === 'done' || state.step === 'finishing' || state.step === 'unfinished';
}

/** Whether leaving the page would interrupt it. */
export function isGoingOn({ state }: Pick<Entry<unknown>, 'state'>): boolean {
  return state.step === 'queued' || state.step === 'working' || state.step === 'finishing';
}
