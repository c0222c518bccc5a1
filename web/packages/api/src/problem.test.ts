import { expect, test, vi } from 'vitest';
import { ApiProblem, codeOf } from './problem.ts';

const waitOf = (value: string) => ApiProblem.from(429, {}, new Headers({ 'Retry-After': value })).retryAfter;

test('Retry-After is read in seconds, from a number or a date', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z') });
  expect(waitOf('42')).toBe(42);
  expect(waitOf('Fri, 20 Nov 2026 10:00:30 GMT')).toBe(30);
  expect(waitOf('Fri, 20 Nov 2026 09:00:00 GMT')).toBe(0);
  vi.useRealTimers();
});

test('a missing or invalid Retry-After gives null', () => {
  expect(ApiProblem.from(429, {}).retryAfter).toBeNull();
  for (const broken of ['soon', '-1x', '']) expect(waitOf(broken), broken).toBeNull();
});

test('a problem has its code, other errors are unknown', () => {
  expect(codeOf(ApiProblem.from(400, { code: 'dead_link' }))).toBe('dead_link');
  expect(codeOf(new Error('x'))).toBe('unknown');
});
