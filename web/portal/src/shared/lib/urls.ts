/** Checks of addresses typed by people. */

/** Whether the text is an http or https address. */
export function isWebAddress(text: string): boolean {
  try {
    const { protocol } = new URL(text.trim());
    return protocol === 'http:' || protocol === 'https:';
  } catch {
    return false;
  }
}

/** The basic pattern of the sign-in and invite forms. */
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
 * Whether the text passes as a video link: a YouTube address, or any web address that contains 'vimeo'. The server has
 * the same rule; `testdata/video-addresses.json` holds the cases both are tested with.
 */
export function isVideoAddress(text: string): boolean {
  if (!isWebAddress(text)) return false;
  const { hostname, href, username, password } = new URL(text.trim());
  if (username !== '' || password !== '' || href.length > LONGEST_ADDRESS) return false;
  return YOUTUBE_HOSTS.has(hostname) || href.includes('vimeo');
}
