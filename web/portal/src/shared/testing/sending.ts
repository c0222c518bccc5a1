/** Uploads one file with a fake clock and a scripted server. */
import type { UploadOut } from '@vitrine/api';
import { http } from 'msw';
import { afterEach, beforeEach, vi } from 'vitest';
import { type Begun, upload } from '../upload/upload.ts';
import { server } from './server.ts';

const ingest = { url: 'http://127.0.0.1:8080/v1/ingest/t', path: '/x' };
/** The server's answer when an upload is created. */
export const pending: UploadOut = { uid: 'u', status: 'pending', ingest };
/** The same upload, created earlier. */
export const known: Begun = { uid: 'u', ingest: ingest.url, checksum: 'md5', address: null };

/** Starts every test at 0; `sendFile` advances the clock through the pauses. */
export function testClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Answers status calls in turn, repeating the last answer; the returned list collects their times. */
export function answering(...answers: (() => Response)[]): number[] {
  const times: number[] = [];
  server.use(
    http.get('*/v1/uploads/u', () => {
      times.push(Date.now());
      return (answers[Math.min(times.length, answers.length) - 1] ?? Response.error)();
    }),
  );
  return times;
}

/** A status response. */
export const is = (fields: Partial<UploadOut>) => () => Response.json({ uid: 'u', ...fields });

/** Uploads a file; returns 'done' or the error message, and when each wait for a busy server ended. */
export async function sendFile(create = async () => pending, begun: Begun | null = null) {
  const paused: number[] = [];
  let over = false;
  const done = upload({
    file: new File(['bytes'], 'a.mp4'),
    create,
    begun,
    signal: new AbortController().signal,
    onPhase: (phase) => {
      if (phase.step === 'paused') paused.push(phase.until);
    },
  })
    .then(
      () => 'done',
      (error: Error) => error.message,
    )
    .finally(() => {
      over = true;
    });
  while (!over) {
    // Mock responses arrive through real events, pauses through the fake clock.
    await new Promise((resolve) => setImmediate(resolve));
    if (vi.getTimerCount() > 0) vi.advanceTimersToNextTimer();
  }
  return { outcome: await done, paused };
}
