/** Which YouTube and Vimeo URLs may be framed, and under which privacy-friendly URL. */

/** A video that may be framed. */
export interface EmbeddedVideo {
  provider: 'youtube' | 'vimeo';
  id: string;
  /** The URL of the frame, with autoplay, since it is only loaded after a click. */
  frameUrl: string;
}

const YOUTUBE_HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
]);
const VIMEO_HOSTS = new Set(['vimeo.com', 'www.vimeo.com', 'player.vimeo.com']);
const YOUTUBE_ID = /^[\w-]{11}$/;
const VIMEO_ID = /^\d{1,12}$/;
const VIMEO_HASH = /^[0-9a-f]{6,32}$/i;

/** Returns the framed video of a URL, or null for a plain link. The server applies the same rule: `testdata/embeds.json`. */
export function parseEmbed(address: string): EmbeddedVideo | null {
  const url = toUrl(address);
  if (url === null) return null;
  const host = url.hostname.toLowerCase();
  const parts = url.pathname.split('/').filter((part) => part !== '');
  if (host === 'youtu.be') return youtube(parts[0]);
  if (YOUTUBE_HOSTS.has(host)) return youtube(youtubeId(url, parts));
  if (VIMEO_HOSTS.has(host)) return vimeo(url, parts);
  return null;
}

/** Returns the URL of the frame that starts at a position, in media milliseconds. Both hosts take whole seconds. */
export function frameUrlAt({ provider, frameUrl }: EmbeddedVideo, positionMs: number): string {
  const seconds = Math.floor(positionMs / 1000);
  if (seconds <= 0) return frameUrl;
  return provider === 'youtube' ? `${frameUrl}&start=${seconds}` : `${frameUrl}#t=${seconds}s`;
}

/** Returns the URL if it is http or https, otherwise null. */
export function safeLink(address: string): string | null {
  return toUrl(address)?.href ?? null;
}

function toUrl(address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

function youtubeId(url: URL, parts: string[]): string | undefined {
  const [first, second] = parts;
  if (first === 'watch') return url.searchParams.get('v') ?? undefined;
  return first === 'shorts' || first === 'live' || first === 'embed' ? second : undefined;
}

function youtube(id: string | undefined): EmbeddedVideo | null {
  if (id === undefined || !YOUTUBE_ID.test(id)) return null;
  const frameUrl = `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0&playsinline=1&enablejsapi=1`;
  return { provider: 'youtube', id, frameUrl };
}

/** vimeo.com/123, vimeo.com/123/hash (unlisted), player.vimeo.com/video/123?h=hash, vimeo.com/channels/name/123. */
function vimeo(url: URL, parts: string[]): EmbeddedVideo | null {
  const at = parts.findIndex((part) => VIMEO_ID.test(part));
  const id = parts[at];
  if (id === undefined) return null;
  const hash = url.searchParams.get('h') ?? parts[at + 1] ?? '';
  const key = VIMEO_HASH.test(hash) ? `&h=${hash}` : '';
  return { provider: 'vimeo', id, frameUrl: `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1${key}` };
}
