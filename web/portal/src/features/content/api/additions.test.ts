import { ApiProblem } from '@vitrine/api';
import { expect, test, vi } from 'vitest';
import { Additions } from './additions.ts';

const outcome = (promise: Promise<void>) =>
  promise.then(
    () => 'done',
    (error: Error) => error.message,
  );

test('additions close in time are sent together, and later ones follow', async () => {
  const calls: string[][] = [];
  let letGo: () => void = () => undefined;
  const additions = new Additions<{ key: string }>((_place, uids) => {
    calls.push(uids);
    return new Promise<void>((resolve) => {
      letGo = resolve;
    });
  });
  const both = Promise.all([additions.add({ key: 'p' }, 'a'), additions.add({ key: 'p' }, 'b')]);
  await expect.poll(() => calls).toEqual([['a', 'b']]);
  const next = additions.add({ key: 'p' }, 'c');
  letGo();
  await both;
  await expect.poll(() => calls).toEqual([['a', 'b'], ['c']]);
  letGo();
  await next;
});

test('a refused addition does not fail the others', async () => {
  const append = vi.fn(async (_place: { key: string }, uids: string[]) => {
    if (uids.includes('gone')) throw new ApiProblem(400, 'Some of the content was not found.');
  });
  const additions = new Additions(append);
  const all = ['a', 'gone', 'b'].map((uid) => outcome(additions.add({ key: 'p' }, uid)));
  expect(await Promise.all(all)).toEqual(['done', 'Some of the content was not found.', 'done']);
});

test('a failing server gets one call for all of them', async () => {
  const append = vi.fn(() => Promise.reject(new ApiProblem(429, 'Later')));
  const additions = new Additions<{ key: string }>(append);
  const all = ['a', 'b'].map((uid) => outcome(additions.add({ key: 'p' }, uid)));
  expect(await Promise.all(all)).toEqual(['Later', 'Later']);
  expect(append).toHaveBeenCalledOnce();
});
