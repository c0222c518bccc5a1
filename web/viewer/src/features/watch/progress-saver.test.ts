import { beforeEach, expect, it, vi } from 'vitest';
import { type Position, ProgressSaver, SAVE_EVERY_MS } from './progress-saver.ts';

const about = { contentId: 'a', playlistId: 'one' };
const at = (position: number, settled = false) => ({ position, length: 600_000, settled });

let saved: [string, Position[]][] = [];
let answer = true;
let owner: string | null = 'ann';
const made = () =>
  new ProgressSaver({
    save: async (orgId, items) => {
      saved.push([orgId, items]);
      return answer;
    },
    owner: () => owner,
    now: Date.now,
  });

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  saved = [];
  answer = true;
  owner = 'ann';
  return () => vi.useRealTimers();
});

it('saves the newest position of an item once in ten seconds', async () => {
  const saver = made();
  for (let second = 0; second < 25; second += 1) {
    saver.add('north', about, at(second * 1000));
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(saved.map(([, items]) => items.map(({ position }) => position))).toEqual([[9000], [19_000]]);
  expect(SAVE_EVERY_MS).toBe(10_000);
});

it('saves at once when playback stops, and nothing twice', async () => {
  const saver = made();
  saver.add('north', about, at(5000));
  saver.add('north', about, at(6000, true));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(saved).toEqual([['north', [{ ...about, position: 6000, length: 600_000, time: '1970-01-01T00:00:00.000Z' }]]]);
});

it('keeps what could not be saved for the next time, and the newer position wins', async () => {
  const saver = made();
  answer = false;
  saver.add('north', about, at(5000, true));
  saver.add('north', { ...about, contentId: 'b' }, at(1000, true));
  await vi.advanceTimersByTimeAsync(0);
  answer = true;
  saver.add('north', about, at(9000, true));
  await vi.advanceTimersByTimeAsync(0);
  const last = saved.at(-1)?.[1].map(({ contentId, position }) => `${contentId} ${position}`);
  expect(last?.sort()).toEqual(['a 9000', 'b 1000']);
});

it('never saves what one person watched for another', async () => {
  const saver = made();
  saver.add('north', about, at(5000));
  owner = 'bea';
  await saver.flush();
  saver.add('north', { ...about, contentId: 'b' }, at(1000, true));
  await vi.advanceTimersByTimeAsync(0);
  expect(saved.map(([, items]) => items.map(({ contentId }) => contentId))).toEqual([['b']]);
  owner = null;
  saver.add('north', about, at(5000, true));
  expect(saved).toHaveLength(1);
});
