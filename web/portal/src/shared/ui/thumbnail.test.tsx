import { fireEvent, render } from '@testing-library/react';
import { coverOf } from '@vitrine/tokens/cover';
import { expect, test } from 'vitest';
import { Thumbnail } from './thumbnail.tsx';

const playlist = { uid: '01a1f92e-898a-7000-809d-14a6650fdc27', title: 'Market briefings' };

test('a playlist without an image, or with a broken one, shows its generated cover', () => {
  const { container, rerender } = render(<Thumbnail src="" cover={playlist} />);
  const cover = () => container.querySelector('.vt-cover');
  expect(cover()).toHaveTextContent('MB');
  expect(cover()).toHaveAttribute('aria-hidden', 'true');
  rerender(<Thumbnail src="/images/gone.webp" cover={playlist} />);
  expect(cover()).toBeNull();
  fireEvent.error(container.querySelector('img') as HTMLImageElement);
  expect(cover()).toHaveTextContent('MB');
});

test('a playlist without an image shows the images of its items that can be loaded', () => {
  const { container } = render(<Thumbnail src="" mosaic={['/images/a.webp', '/images/b.webp']} cover={playlist} />);
  const images = () => [...container.querySelectorAll('img')];
  expect(images().map((image) => image.getAttribute('src'))).toEqual(['/images/a.webp', '/images/b.webp']);
  expect(container.querySelector('.vt-cover')).toBeNull();
  for (const image of images()) fireEvent.error(image);
  expect(container.querySelector('.vt-cover')).toHaveTextContent('MB');
});

test('a document shows the top of its page, and the badge and the frame are those of the portal', () => {
  const { container } = render(<Thumbnail src="/images/a.webp" kind="pdf" badge="3:20" className="wide" />);
  expect(container.querySelector('[data-kind=pdf] > img')).not.toBeNull();
  expect(container.firstElementChild).toHaveClass('wide');
  expect(container.firstElementChild?.lastElementChild).toHaveTextContent('3:20');
});

test.each([
  ['Ünïcode & quotes “so”', 'ÜQ'],
  ['“so”', 'S'],
  ['2027 outlook', '2O'],
  ['日本 語', '日語'],
  ['…', ''],
])('the letters of %s are %s', (title, letters) => {
  expect(coverOf('1', title).letters).toBe(letters);
});

test('a cover depends only on the id, and ids created together differ', () => {
  const { hue, figure } = coverOf(playlist.uid, playlist.title);
  expect(coverOf(playlist.uid, 'Another title')).toMatchObject({ hue, figure });
  const looks = Array.from({ length: 60 }, (_, index) => {
    const one = coverOf(`01a1f92e-898a-7000-809d-14a6650f${(index * 977 + 4096).toString(16)}`, 'Same');
    return `${one.hue} ${one.figure}`;
  });
  expect(new Set(looks).size).toBeGreaterThan(15);
});
