import { expect, test } from 'vitest';
import { imageAt, imageSet } from './image-sizes.ts';

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
