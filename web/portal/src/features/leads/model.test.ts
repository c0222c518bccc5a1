import { expect, test } from 'vitest';
import { ORG } from '~/shared/testing/server.ts';
import { profiles } from './api/lead-queries.ts';
import { batches } from './model.ts';

test('profiles are fetched fifty at a time', () => {
  const ids = Array.from({ length: 101 }, (_, index) => String(index));
  expect(batches(ids, 50).map(({ length }) => length)).toEqual([50, 50, 1]);
  expect(batches([], 50)).toEqual([]);
});

test('an empty list of ids throws before any call', () => {
  expect(() => profiles(ORG, [])).toThrow('UsersService: must request at least one user.');
});
