/** Upload progress as text and percent. */
import { clock, fileSize } from '~/shared/lib/format.ts';
import type { EntryState } from '~/shared/upload/entry.ts';
import type { UploadPhase } from '~/shared/upload/upload.ts';
import type { PortalUpload } from './api/upload-queue.ts';
import { attachFailure } from './model.ts';
import { contentTexts, uploadTexts } from './texts.ts';

export function percentOf(phase: UploadPhase): number {
  if (phase.step === 'hashing') return Math.floor(phase.share * 100);
  if (phase.step === 'paused') return Math.floor(phase.share * 100);
  if (phase.step === 'checking') return 100;
  const { sent, total } = phase.transfer;
  return total === 0 ? 0 : Math.min(100, Math.floor((sent / total) * 100));
}

/** Returns whether the upload waits for a busy server, so that its text counts seconds. */
export function isPaused(state: EntryState): boolean {
  if (state.step === 'finishing') return state.until !== null;
  return state.step === 'working' && state.phase.step === 'paused';
}

/** Returns whether progress is halted. */
export function isStill(phase: UploadPhase): boolean {
  return phase.step === 'waiting' || phase.step === 'paused';
}

/** Returns the countdown to the end of a pause. */
export function pauseWords(until: number, now: number): string {
  return uploadTexts.serverBusy(Math.max(1, Math.ceil((until - now) / 1000)));
}

export function headingOf(phase: UploadPhase): string {
  if (phase.step === 'hashing') return uploadTexts.preparing;
  if (phase.step === 'waiting') return uploadTexts.noConnection;
  if (phase.step === 'paused') return uploadTexts.paused;
  return phase.step === 'sending' ? uploadTexts.sending : uploadTexts.verifying;
}

export function detailOf(phase: UploadPhase, now: number): string {
  if (phase.step === 'hashing') return '';
  if (phase.step === 'checking') return uploadTexts.almostDone;
  if (phase.step === 'paused') return pauseWords(phase.until, now);
  const { sent, total, speed, secondsLeft } = phase.transfer;
  const amount = uploadTexts.amount(fileSize(sent), fileSize(total));
  if (phase.step === 'waiting') return uploadTexts.resumes(amount);
  if (secondsLeft === null) return amount;
  return [amount, uploadTexts.speed(fileSize(speed)), contentTexts.timeLeft(clock(secondsLeft * 1000))].join(' · ');
}

/** Returns one line for an active upload; without a percentage while paused. */
export function lineOf(phase: UploadPhase, now: number): string {
  const parts = [headingOf(phase), contentTexts.percent(percentOf(phase)), detailOf(phase, now)];
  return (phase.step === 'paused' ? [headingOf(phase), detailOf(phase, now)] : parts).filter(Boolean).join(' · ');
}

/** Returns one line for an upload in any state. */
export function sentenceOf({ state, size }: Pick<PortalUpload, 'state' | 'size'>, now: number): string {
  switch (state.step) {
    case 'queued':
      return uploadTexts.queued(fileSize(size));
    case 'missing':
      return state.message === '' ? uploadTexts.missing(fileSize(size)) : state.message;
    case 'working':
      return lineOf(state.phase, now);
    case 'finishing':
      return state.until === null ? uploadTexts.almostDone : pauseWords(state.until, now);
    case 'unfinished':
      return attachFailure(state.error);
    case 'failed':
      return state.message;
    case 'done':
      return contentTexts.uploadSuccessful;
  }
}
