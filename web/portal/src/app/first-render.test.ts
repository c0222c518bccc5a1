/** When the first render happens. */
import type { AnyRouter } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '~/shared/api/query-client.ts';
import { prepareFirstRender } from './first-render.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Prepares a screen whose loader does what is given; returns whether it is ready. */
function preparing(loader: (client: ReturnType<typeof createQueryClient>) => Promise<unknown>) {
  const client = createQueryClient();
  const router = { load: () => loader(client) } as unknown as AnyRouter;
  const state = { ready: false };
  void prepareFirstRender(router, client).then(() => {
    state.ready = true;
  });
  return state;
}

test('waits for the code of the screen, and for its queries if they were sent early', async () => {
  window.vitrineStarted = { token: 'first', answers: {} };
  let answer = (_: string) => {};
  const state = preparing(async (client) => {
    const queryFn = () => new Promise<string>((resolve) => (answer = resolve));
    void client.prefetchQuery({ queryKey: ['profile'], queryFn });
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(state.ready).toBe(false);
  answer('Ada');
  await vi.advanceTimersByTimeAsync(1);
  expect(state.ready).toBe(true);
  expect(window.vitrineStarted).toBeUndefined();
});

test('does not wait for queries of a screen that has its own skeleton', async () => {
  const state = preparing(async (client) => {
    void client.prefetchQuery({ queryKey: ['profile'], queryFn: () => new Promise(() => undefined) });
  });
  await vi.advanceTimersByTimeAsync(1);
  expect(state.ready).toBe(true);
});

test('does not wait longer than a second', async () => {
  const state = preparing(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(999);
  expect(state.ready).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(state.ready).toBe(true);
});

test('does not wait for what has failed', async () => {
  const state = preparing(() => Promise.reject(new Error('no such file')));
  await vi.advanceTimersByTimeAsync(1);
  expect(state.ready).toBe(true);
});
