import { expect, test } from 'vitest';
import type { UploadPhase } from '~/shared/upload/upload.ts';
import { detailOf, headingOf, percentOf } from './upload-words.ts';

const MIB = 1024 * 1024;
const transfer = { sent: 42 * MIB, total: 64 * MIB, speed: 2 * MIB, secondsLeft: 11 };

const NOW = 1_000_000;
const words = (phase: UploadPhase) => [headingOf(phase), percentOf(phase), detailOf(phase, NOW)];

test('preparing a file shows its share', () => {
  expect(words({ step: 'hashing', share: 0.349 })).toEqual(['Preparing...', 34, '']);
});

test('sending shows percent, amount, speed and time left', () => {
  expect(words({ step: 'sending', transfer })).toEqual(['Uploading', 65, '42 MB of 64 MB · 2 MB/s · 0:11 left']);
  const hours = { ...transfer, secondsLeft: 3725 };
  expect(detailOf({ step: 'sending', transfer: hours }, NOW)).toBe('42 MB of 64 MB · 2 MB/s · 1:02:05 left');
});

test('before the first bytes there is neither speed nor time left', () => {
  const begun = { sent: 0, total: 64 * MIB, speed: 0, secondsLeft: null };
  expect(words({ step: 'sending', transfer: begun })).toEqual(['Uploading', 0, '0 Bytes of 64 MB']);
});

test('a lost connection shows that the upload resumes automatically', () => {
  const cut = { ...transfer, speed: 0, secondsLeft: null };
  expect(words({ step: 'waiting', transfer: cut })).toEqual([
    'No connection',
    65,
    '42 MB of 64 MB · resumes automatically',
  ]);
});

test('a hundred percent shows only once everything is sent, and never for an empty file', () => {
  const percent = (sent: number, total: number) =>
    percentOf({ step: 'sending', transfer: { sent, total, speed: 1, secondsLeft: 0 } });
  expect([percent(999_999, 1_000_000), percent(5, 5), percent(6, 5), percent(0, 0)]).toEqual([99, 100, 100, 0]);
  expect(words({ step: 'checking' })).toEqual(['Verifying...', 100, 'Almost done']);
});

test('a busy server shows the seconds left', () => {
  const paused: UploadPhase = { step: 'paused', until: NOW + 4200, share: 0.25 };
  expect(words(paused)).toEqual(['Waiting to continue', 25, 'The server is busy · continues in 5 s']);
  expect(detailOf(paused, NOW + 9000)).toBe('The server is busy · continues in 1 s');
});
