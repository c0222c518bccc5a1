import { expect, test } from 'vitest';
import { fittedSize } from './crop-image.ts';

test('a part keeps its shape and is never enlarged', () => {
  expect(fittedSize({ x: 0, y: 0, width: 300, height: 300 })).toEqual({ width: 300, height: 300 });
  expect(fittedSize({ x: 9, y: 9, width: 4320, height: 6480 })).toEqual({ width: 1440, height: 2160 });
  expect(fittedSize({ x: 0, y: 0, width: 9000, height: 1 })).toEqual({ width: 2160, height: 1 });
});
