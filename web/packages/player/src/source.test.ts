import { afterEach, describe, expect, it, vi } from 'vitest';
import { sourceOf } from './source.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const plays = (answer: CanPlayTypeResult) =>
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockImplementation(() => answer);

describe('what is played', () => {
  it('is the file while there is no stream', () => {
    plays('maybe');
    expect(sourceOf('/source', '')).toEqual({ address: '/source', by: 'element' });
    expect(sourceOf('/source', undefined)).toEqual({ address: '/source', by: 'element' });
  });

  it('is the stream, played natively if the browser supports HLS', () => {
    plays('maybe');
    vi.stubGlobal('MediaSource', class {});
    expect(sourceOf('/source', '/master.m3u8')).toEqual({ address: '/master.m3u8', by: 'element' });
  });

  it('is the stream, played by the library otherwise', () => {
    plays('');
    vi.stubGlobal('MediaSource', class {});
    expect(sourceOf('/source', '/master.m3u8')).toEqual({ address: '/master.m3u8', by: 'library' });
  });

  it('is the file if nothing can play streams', () => {
    plays('');
    expect(sourceOf('/source', '/master.m3u8')).toEqual({ address: '/source', by: 'element' });
  });
});
