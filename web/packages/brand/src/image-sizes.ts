/** The sizes in which the server keeps images. */

/** Widths in pixels; the server answers with the next one that it has. */
export const imageWidths = {
  photo: [96, 192],
  logo: [192, 512],
  wallpaper: [720, 1440, 1600],
  thumbnail: [400, 800, 1600],
} as const;

/** Uploaded images and generated posters have several sizes; what a browser holds before the upload has one. */
const SIZED = /^(https?:\/\/[^/]+)?\/(images\/[0-9a-f]{32}|media\/[^/?]+\/poster)$/;

/** Returns the URL of an image at the width it is shown, for screens that cannot choose. */
export function imageAt(url: string, width: number): string {
  return SIZED.test(url) ? `${url}?width=${width}` : url;
}

/** Returns the attributes of an image from which the browser chooses a size. `sizes` is how wide it is shown. */
export function imageSet(url: string, kind: keyof typeof imageWidths, sizes: string) {
  if (!SIZED.test(url)) return { src: url };
  const widths = imageWidths[kind];
  const candidates = widths.map((width) => `${imageAt(url, width)} ${width}w`);
  // Wallpapers fill the screen, so the largest ones need the whole image.
  if (kind === 'wallpaper') candidates.push(`${url} 2560w`);
  return { src: imageAt(url, widths.at(-1) ?? 0), srcSet: candidates.join(', '), sizes };
}

/** Returns the URL of an image that fills the window, as the still of a player does. */
export function imageOfWindow(url: string): string {
  return imageAt(url, Math.ceil(window.innerWidth * Math.min(window.devicePixelRatio, 2)));
}
