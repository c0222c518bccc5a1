import { expect, it } from 'vitest';
import { heightsOf } from './qualities.ts';

const stream = (height: number) =>
  `#EXT-X-STREAM-INF:BANDWIDTH=${height}000,RESOLUTION=${height * 2}x${height},CODECS="avc1"\nv${height}.m3u8\n`;

it('offers the heights of a stream, highest first, each once', () => {
  expect(heightsOf(`#EXTM3U\n${stream(360)}${stream(1080)}${stream(720)}${stream(720)}`)).toEqual([1080, 720, 360]);
});

it('offers nothing where there is no choice', () => {
  expect(heightsOf(`#EXTM3U\n${stream(360)}`)).toEqual([]);
  expect(heightsOf('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n')).toEqual([]);
  expect(heightsOf('<html>')).toEqual([]);
});
