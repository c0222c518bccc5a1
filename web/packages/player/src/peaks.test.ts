import { expect, it } from 'vitest';
import { barsOf } from './peaks.ts';

it('draws each bar as high as its loudest peak', () => {
  expect(barsOf([1, 9, 2, 3, 40, 4], 3)).toEqual([9, 3, 40]);
});

it('spreads few peaks over all bars, and shows silence without any', () => {
  expect(barsOf([10, 20], 4)).toEqual([10, 10, 20, 20]);
  expect(barsOf([], 2)).toEqual([0, 0]);
});
