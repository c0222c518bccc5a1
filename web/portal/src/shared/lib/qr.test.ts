import jsQR from 'jsqr';
import { expect, test } from 'vitest';
import { qrCode } from './qr.ts';

/** Draws the path with squares of four pixels, as RGBA. */
function pixelsOf(text: string) {
  const { size, path } = qrCode(text);
  const scale = 4;
  const width = size * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
      for (let column = Number(x) * scale; column < (Number(x) + Number(run)) * scale; column++) {
        pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
      }
    }
  }
  return { pixels, width };
}

test.each([
  'http://127.0.0.1:8080/app/join/abcdefghijklmnopqrstuv',
  'https://videos.example.com/app/org/019a0000-0000-7000-8000-000000000001/playlists/019a0000-0000-7000-8000-000000000002',
  'https://例え.example/über?q=ключ',
])('another program reads the code of %s', (text) => {
  const { pixels, width } = pixelsOf(text);
  expect(jsQR(pixels, width, width)?.data).toBe(text);
});

test('a code has quiet space on every side', () => {
  const { size, path } = qrCode('https://example.com');
  const starts = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, run]) => [Number(x), Number(y), Number(run)]);
  for (const [x = 0, y = 0, run = 0] of starts) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(4);
    expect(Math.max(x + run, y + 1)).toBeLessThanOrEqual(size - 4);
  }
});
