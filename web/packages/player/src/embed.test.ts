import { describe, expect, it } from 'vitest';
import { parseEmbed, safeLink } from './embed.ts';

describe('parseEmbed', () => {
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

  it.each([
    'https://example.com/vimeo/76979871',
    'https://vimeo.com.example.com/76979871',
    'https://youtube.com/watch?v=short',
    'https://youtube.com/@channel',
    'https://youtu.be/',
    'javascript:alert(1)//youtube.com',
    'not an address',
  ])('never frames %s', (address) => {
    expect(parseEmbed(address)).toBeNull();
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
