/** Validation of addresses typed by people. */

/** Returns whether the text is an http or https URL. */
export function isWebAddress(text: string): boolean {
  try {
    const { protocol } = new URL(text.trim());
    return protocol === 'http:' || protocol === 'https:';
  } catch {
    return false;
  }
}

/** Returns whether the text looks like an email address. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}

const YOUTUBE_HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'youtu.be',
  'www.youtube-nocookie.com',
  'youtube-nocookie.com',
]);

const LONGEST_ADDRESS = 2000;

/**
 * Returns whether the text passes as a video link: a YouTube URL, or any web URL that contains 'vimeo'. The server has
 * the same rule; both are tested with `testdata/video-addresses.json`.
 */
export function isVideoAddress(text: string): boolean {
  if (!isWebAddress(text)) return false;
  const { hostname, href, username, password } = new URL(text.trim());
  if (username !== '' || password !== '' || href.length > LONGEST_ADDRESS) return false;
  return YOUTUBE_HOSTS.has(hostname) || href.includes('vimeo');
}
