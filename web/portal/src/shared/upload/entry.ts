/** One upload of the queue, as screens see it. */
import type { UploadPhase } from './upload.ts';

/** The state of one upload. */
export type EntryState =
  | { step: 'queued' }
  /** The file was lost in a reload; the person has to choose it again. */
  | { step: 'missing'; message: string }
  | { step: 'working'; phase: UploadPhase }
  /** All bytes are uploaded; the follow-up is running, or waits until then (epoch milliseconds) for a busy server. */
  | { step: 'finishing'; until: number | null }
  /** All bytes are uploaded; the follow-up failed and can be retried on its own. */
  | { step: 'unfinished'; error: unknown }
  | { step: 'failed'; message: string }
  | { step: 'done' };

/** One upload as shown on screens. */
export interface Entry<Job> {
  id: string;
  name: string;
  size: number;
  lastModified: number;
  job: Job;
  uid: string | null;
  state: EntryState;
  /** Shown by a dialog, so the panel leaves it out. */
  followed: boolean;
}

/** Returns whether the server has acknowledged every byte; such an upload cannot be cancelled. */
export function hasArrived(state: EntryState): boolean {
  if (state.step === 'working') return state.phase.step === 'checking';
  return state.step === 'done' || state.step === 'finishing' || state.step === 'unfinished';
}

/** Returns whether leaving the page would interrupt the upload. */
export function isGoingOn({ state }: Pick<Entry<unknown>, 'state'>): boolean {
  return state.step === 'queued' || state.step === 'working' || state.step === 'finishing';
}
