/** How far an upload is, in words and hundredths. */
import { clock, fileSize } from '~/shared/lib/format.ts';
import type { EntryState } from '~/shared/upload/entry.ts';
import type { UploadPhase } from '~/shared/upload/upload.ts';
import type { PortalUpload } from './api/upload-queue.ts';
import { attachFailure } from './model.ts';
import { contentTexts } from './texts.ts';

export function percentOf(phase: UploadPhase): number {
  if (phase.step === 'hashing') return Math.floor(phase.share * 100);
  if (phase.step === 'paused') return Math.floor(phase.share * 100);
  if (phase.step === 'checking') return 100;
  const { sent, total } = phase.transfer;
  return total === 0 ? 0 : Math.min(100, Math.floor((sent / total) * 100));
}

/** Whether it waits for a busy server, so that its words count seconds. */
export function isPaused(state: EntryState): boolean {
  if (state.step === 'finishing') return state.until !== null;
  return state.step === 'working' && state.phase.step === 'paused';
}

/** Whether nothing moves for now. */
export function isStill(phase: UploadPhase): boolean {
  return phase.step === 'waiting' || phase.step === 'paused';
}

/** Counts down to the end of a pause. */
export function pauseWords(until: number, now: number): string {
  return `The server is busy · continues in ${Math.max(1, Math.ceil((until - now) / 1000))} s`;
}

export function headingOf(phase: UploadPhase): string {
  if (phase.step === 'hashing') return 'Reading the file';
  if (phase.step === 'waiting') return 'No connection';
  if (phase.step === 'paused') return 'Waiting to continue';
  return phase.step === 'sending' ? 'Uploading' : 'Checking the file';
}

export function detailOf(phase: UploadPhase, now: number): string {
  if (phase.step === 'hashing') return 'Computing its checksum';
  if (phase.step === 'checking') return 'Almost done';
  if (phase.step === 'paused') return pauseWords(phase.until, now);
  const { sent, total, speed, secondsLeft } = phase.transfer;
  const amount = `${fileSize(sent)} of ${fileSize(total)}`;
  if (phase.step === 'waiting') return `${amount} · goes on by itself`;
  if (secondsLeft === null) return amount;
  return `${amount} · ${fileSize(speed)}/s · ${clock(secondsLeft * 1000)} left`;
}

/** One line for an upload that is being worked on; where nothing moves there is no percentage. */
export function lineOf(phase: UploadPhase, now: number): string {
  const parts = [headingOf(phase), `${percentOf(phase)} %`, detailOf(phase, now)];
  return (phase.step === 'paused' ? [headingOf(phase), detailOf(phase, now)] : parts).join(' · ');
}

/** One line for an upload in any state. */
export function sentenceOf({ state, size }: Pick<PortalUpload, 'state' | 'size'>, now: number): string {
  switch (state.step) {
    case 'queued':
      return `${fileSize(size)} · Waiting for its turn`;
    case 'missing':
      return state.message === '' ? `${fileSize(size)} · Waiting for its file` : state.message;
    case 'working':
      return lineOf(state.phase, now);
    case 'finishing':
      return state.until === null ? 'Almost done' : pauseWords(state.until, now);
    case 'unfinished':
      return attachFailure(state.error);
    case 'failed':
      return state.message;
    case 'done':
      return contentTexts.uploadSuccessful;
  }
}
