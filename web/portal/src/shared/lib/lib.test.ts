import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '@vitrine/api';
import { afterEach, expect, test, vi } from 'vitest';
import cases from '../../../../../testdata/video-addresses.json';
import { judgeImage } from '../upload/image.ts';
import { transferOf } from '../upload/put.ts';
import { callingCodeOf, phoneCountry } from './calling-code.ts';
import { countryName } from './country.ts';
import { delayOf, delays, retryOn, wait } from './retry.ts';
import { storage } from './storage.ts';
import { isEmail, isVideoAddress, isWebAddress } from './urls.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('delays double from 100 ms: six of them take 6.3 s, five take 3.1 s', () => {
  expect(delays(6)).toEqual([100, 200, 400, 800, 1600, 3200]);
  expect(delays(5).reduce((sum, delay) => sum + delay, 0)).toBe(3100);
});

test('a cap holds the delay down', () => {
  expect(delayOf(8, 30_000)).toBe(25_600);
  expect(delayOf(9, 30_000)).toBe(30_000);
});

test('waiting ends at once when aborted', async () => {
  vi.useFakeTimers();
  const stop = new AbortController();
  const waiting = wait(10_000, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
});

test.each(cases)('as a video link $address is accepted: $accepted', ({ address, accepted }) => {
  expect(isVideoAddress(address)).toBe(accepted);
});

test('a video link has at most 2,000 characters', () => {
  const long = `https://vimeo.com/${'1'.repeat(2000 - 18)}`;
  expect([isVideoAddress(long), isVideoAddress(`${long}1`)]).toEqual([true, false]);
});

test('web addresses are http or https, and emails have a name, an at sign and a dot', () => {
  expect([isWebAddress('https://a.example'), isWebAddress('ftp://a.example'), isWebAddress('a.example')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isEmail(' a@b.co '), isEmail('a@b'), isEmail('a b@c.de'), isEmail('')]).toEqual([true, false, false, false]);
});

test('images: strictly over 5 MB is refused, strictly over 2 MB warns, svg is unsupported', () => {
  const judge = (size: number, type = 'image/png') => judgeImage({ size, type });
  expect([judge(2_097_152), judge(2_097_153), judge(5_242_880), judge(5_242_881)]).toEqual([
    'fine',
    'large',
    'large',
    'tooLarge',
  ]);
  expect(judge(1, 'image/svg+xml')).toBe('unsupported');
});

test('a transfer has speed and time left once something was sent', () => {
  expect(transferOf(0, 100, 0)).toEqual({ sent: 0, total: 100, speed: 0, secondsLeft: null });
  expect(transferOf(50, 100, 1000)).toEqual({ sent: 50, total: 100, speed: 50, secondsLeft: 1 });
});

test('the generic helper calls five times in all, pausing 100, 200, 400 and 800 ms', async () => {
  vi.useFakeTimers();
  const times: number[] = [];
  const busy = () => {
    times.push(Date.now());
    return Promise.reject(new ApiProblem(503, 'busy'));
  };
  const asked = new QueryClient().fetchQuery({ queryKey: ['x'], queryFn: busy, ...retryOn(429, 503) });
  const failed = expect(asked).rejects.toThrow('busy');
  await vi.runAllTimersAsync();
  await failed;
  expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual([100, 200, 400, 800]);
});

test('the generic helper does not retry an unlisted status', async () => {
  const refused = vi.fn(() => Promise.reject(new ApiProblem(403, 'no')));
  const asked = new QueryClient().fetchQuery({ queryKey: ['x'], queryFn: refused, ...retryOn(429, 503) });
  await expect(asked).rejects.toThrow('no');
  expect(refused).toHaveBeenCalledTimes(1);
});

test('a number gives its country, its calling code if several share it, or nothing', () => {
  const numbers = [
    '+44 20 7946 0123',
    '+47 22 12 34 56',
    '+1 416 555 0123',
    '+44 7700 900123',
    '020 7946 0123',
    'x',
    '',
  ];
  expect(numbers.map(phoneCountry)).toEqual(['United Kingdom', 'Norway', 'Canada', '+44', '', '', '']);
  expect(numbers.map(callingCodeOf)).toEqual(['+44', '+47', '+1', '+44', '', '', '']);
  expect([countryName('GB'), countryName('NO'), countryName(''), countryName('gb')]).toEqual([
    'United Kingdom',
    'Norway',
    '',
    '',
  ]);
});

test('the four local-storage entries have their names, and a browser without storage works', () => {
  for (const key of ['accountId', 'planId', 'emailForSignIn', 'redirectUrl'] as const) {
    storage.set(key, 'x');
    expect([localStorage.getItem(key), storage.get(key)]).toEqual(['x', 'x']);
    storage.remove(key);
    expect(localStorage.getItem(key)).toBeNull();
  }
  for (const call of ['getItem', 'setItem', 'removeItem'] as const) {
    vi.spyOn(Storage.prototype, call).mockImplementation(() => {
      throw new DOMException('forbidden', 'SecurityError');
    });
  }
  storage.set('planId', 'x');
  storage.remove('planId');
  expect(storage.get('planId')).toBeNull();
});
