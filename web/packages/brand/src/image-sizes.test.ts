import { expect, test, vi } from 'vitest';
import { imageAt, imageOfWindow, imageSet } from './image-sizes.ts';

const IMAGE = 'https://v.example/images/0123456789abcdef0123456789abcdef';

test('an uploaded image is asked for at the widths the server keeps', () => {
  expect(imageAt(IMAGE, 192)).toBe(`${IMAGE}?width=192`);
  expect(imageSet(IMAGE, 'thumbnail', '100vw')).toEqual({
    src: `${IMAGE}?width=1600`,
    srcSet: `${IMAGE}?width=400 400w, ${IMAGE}?width=800 800w, ${IMAGE}?width=1600 1600w`,
    sizes: '100vw',
  });
});

test('a wallpaper for the largest screens is the whole image', () => {
  const { srcSet } = imageSet(IMAGE, 'wallpaper', 'max(100vw, 67vh)');
  expect(srcSet?.split(', ').at(-1)).toBe(`${IMAGE} 2560w`);
});

test('a generated poster has the sizes of thumbnails', () => {
  const poster = 'https://v.example/media/grant/poster';
  expect(imageSet(poster, 'thumbnail', '400px').srcSet).toBe(
    `${poster}?width=400 400w, ${poster}?width=800 800w, ${poster}?width=1600 1600w`,
  );
});

test('the still of a player is as wide as the window has pixels, at most twice its width', () => {
  vi.stubGlobal('window', { innerWidth: 390, devicePixelRatio: 3 });
  expect(imageOfWindow(IMAGE)).toBe(`${IMAGE}?width=780`);
  vi.stubGlobal('window', { innerWidth: 390, devicePixelRatio: 1.5 });
  expect(imageOfWindow(IMAGE)).toBe(`${IMAGE}?width=585`);
  vi.unstubAllGlobals();
});

test.each([
  '',
  '/icon.svg',
  'blob:https://v.example/1',
  'https://v.example/media/x/poster?token=1',
  `${IMAGE}?width=1`,
])('other images have one size: %j', (url) => {
  expect(imageAt(url, 192)).toBe(url);
  expect(imageSet(url, 'logo', '36px')).toEqual({ src: url });
});
