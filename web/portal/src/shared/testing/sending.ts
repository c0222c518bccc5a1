/** Sending one file, on a clock of the test's own and to a server that answers as it is told. */
import type { UploadOut } from '@vitrine/api';
import { http } from 'msw';
import { afterEach, beforeEach, vi } from 'vitest';
import { type Begun, upload } from '../upload/upload.ts';
import { server } from './server.ts';

const ingest = { url: 'http://127.0.0.1:8080/v1/ingest/t', path: '/x' };
/** What the server answers when a place is asked for. */
export const pending: UploadOut = { uid: 'u', status: 'pending', ingest };
/** The same place, given before. */
export const known: Begun = { uid: 'u', ingest: ingest.url, checksum: 'md5', address: null };

/** Begins every test at 0; `sendFile` lets the pauses pass. */
export function testClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Answers status calls with these, the last one for good; the list of their times grows with each. */
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

/** A status call's answer. */
export const is = (fields: Partial<UploadOut>) => () => Response.json({ uid: 'u', ...fields });

/** Sends a file to the end: 'done' or what is said instead, and until when it waited for a busy server. */
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
    // Answers of the mock server come by real events, the pauses by the clock of the test.
    await new Promise((resolve) => setImmediate(resolve));
    if (vi.getTimerCount() > 0) vi.advanceTimersToNextTimer();
  }
  return { outcome: await done, paused };
}
