/** The picture heights of an HLS stream, from its main playlist. */

/** Returns the heights, highest first; none if there is nothing to choose from. */
export function heightsOf(playlist: string): number[] {
  const heights = new Set<number>();
  for (const [, height] of playlist.matchAll(/^#EXT-X-STREAM-INF:.*?RESOLUTION=\d+x(\d+)/gm))
    heights.add(Number(height));
  return heights.size < 2 ? [] : [...heights].sort((a, b) => b - a);
}
