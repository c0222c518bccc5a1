import { expect, test, vi } from 'vitest';
import { ApiProblem, codeOf } from './problem.ts';

const waitOf = (value: string) => ApiProblem.from(429, {}, new Headers({ 'Retry-After': value })).retryAfter;

test('the wait of an answer is known in seconds, from a number or a date', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z') });
  expect(waitOf('42')).toBe(42);
  expect(waitOf('Fri, 20 Nov 2026 10:00:30 GMT')).toBe(30);
  expect(waitOf('Fri, 20 Nov 2026 09:00:00 GMT')).toBe(0);
  vi.useRealTimers();
});

test('an answer without a wait, or with a broken one, names none', () => {
  expect(ApiProblem.from(429, {}).retryAfter).toBeNull();
  for (const broken of ['soon', '-1x', '']) expect(waitOf(broken), broken).toBeNull();
});

test('the code of a problem is known, and of other errors it is not', () => {
  expect(codeOf(ApiProblem.from(400, { code: 'dead_link' }))).toBe('dead_link');
  expect(codeOf(new Error('x'))).toBe('unknown');
});
