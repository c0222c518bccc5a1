import { ApiProblem } from '@vitrine/api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { orSeenLast } from './seen-last.ts';
import { session } from './session.ts';
import { tokenOf } from './testing/server.ts';

const lost = () => Promise.reject(ApiProblem.network());
const lists = () => Object.keys(localStorage).filter((key) => key.startsWith('vitrine.viewer.seen.'));

beforeEach(() => session.save(tokenOf('ann')));
afterEach(() => vi.useRealTimers());

it('answers with the last answer only without a connection', async () => {
  await orSeenLast('list', async () => ['a']);
  expect(await orSeenLast('list', lost)).toEqual(['a']);
  await expect(orSeenLast('list', () => Promise.reject(new ApiProblem(404, 'Gone', 'gone')))).rejects.toThrow('Gone');
  await expect(orSeenLast('other', lost)).rejects.toMatchObject({ code: 'network' });
});

it('keeps the newest lists, and none that is very long', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  for (let number = 0; number < 60; number += 1) {
    await orSeenLast(`list ${number}`, async () => [number]);
    vi.setSystemTime(Date.now() + 1);
  }
  expect(lists()).toHaveLength(40);
  await expect(orSeenLast('list 19', lost)).rejects.toMatchObject({ code: 'network' });
  expect(await orSeenLast('list 20', lost)).toEqual([20]);
  await orSeenLast('long', async () => 'x'.repeat(200_001));
  await expect(orSeenLast('long', lost)).rejects.toMatchObject({ code: 'network' });
});

it('keeps nothing of a person who has signed out meanwhile, and survives what it cannot read', async () => {
  await orSeenLast('list', async () => {
    session.clear();
    return ['a'];
  });
  expect(lists()).toEqual([]);
  session.save(tokenOf('ann'));
  await orSeenLast('list', async () => ['a']);
  for (const key of lists()) localStorage.setItem(key, '{');
  await expect(orSeenLast('list', lost)).rejects.toMatchObject({ code: 'network' });
});
