import { describe, expect, it } from 'vitest';
import cases from '../../../../testdata/embeds.json';
import { frameUrlAt, parseEmbed, safeLink } from './embed.ts';

/** The server applies the same rule, with the same cases. */
function videoOf(address: string): string | null {
  const video = parseEmbed(address);
  if (video === null) return null;
  const key = new URL(video.frameUrl).searchParams.get('h');
  const tail = key === null ? '' : `/${key}`;
  return video.provider === 'youtube'
    ? `https://www.youtube.com/watch?v=${video.id}`
    : `https://vimeo.com/${video.id}${tail}`;
}

describe('parseEmbed', () => {
  it.each(cases)('frames $address as $video', ({ address, video }) => {
    expect(videoOf(address)).toBe(video);
  });

  it.each([
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3',
    'https://m.youtube.com/shorts/dQw4w9WgXcQ',
    'https://youtube.com/live/dQw4w9WgXcQ?feature=share',
    'https://youtu.be/dQw4w9WgXcQ',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
  ])('frames %s from the host without cookies', (address) => {
    const video = parseEmbed(address);
    expect(video).toMatchObject({ provider: 'youtube', id: 'dQw4w9WgXcQ' });
    expect(video?.frameUrl).toMatch(/^https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ\?/);
  });

  it.each([
    ['https://vimeo.com/76979871', ''],
    ['https://vimeo.com/channels/staffpicks/76979871', ''],
    ['https://vimeo.com/76979871/8272103f6e', '&h=8272103f6e'],
    ['https://player.vimeo.com/video/76979871?h=8272103f6e', '&h=8272103f6e'],
  ])('frames %s from the player host', (address, key) => {
    expect(parseEmbed(address)?.frameUrl).toBe(`https://player.vimeo.com/video/76979871?autoplay=1&dnt=1${key}`);
  });
});

describe('frameUrlAt', () => {
  it.each([
    ['https://youtu.be/dQw4w9WgXcQ', 65_900, /&start=65$/],
    ['https://vimeo.com/76979871/8272103f6e', 65_900, /&h=8272103f6e#t=65s$/],
    ['https://youtu.be/dQw4w9WgXcQ', 0, /enablejsapi=1$/],
  ])('starts %s at %d ms', (address, position, end) => {
    const video = parseEmbed(address);
    expect(video && frameUrlAt(video, position)).toMatch(end);
  });
});

describe('safeLink', () => {
  it('lets only web addresses through', () => {
    expect(safeLink('https://example.com/a b')).toBe('https://example.com/a%20b');
    expect(safeLink('javascript:alert(1)')).toBeNull();
    expect(safeLink('data:text/html,x')).toBeNull();
    expect(safeLink('')).toBeNull();
  });
});
