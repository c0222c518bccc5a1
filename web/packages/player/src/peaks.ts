/** Peaks of an audio file, from 0 to 100, as the server computes them. */

/** Loads the peaks; returns none if they cannot be read. Rejects without a connection. */
export async function loadPeaks(src: string, signal: AbortSignal): Promise<readonly number[]> {
  const answer = await fetch(src, { signal });
  return peaksOf(answer.ok ? await answer.json() : null);
}

/** Reduces the peaks to the given number of bars, each with the highest of its peaks. */
export function barsOf(peaks: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * peaks.length) / count);
    const to = Math.max(from + 1, Math.floor(((index + 1) * peaks.length) / count));
    return Math.max(0, ...peaks.slice(from, to));
  });
}

function peaksOf(body: unknown): number[] {
  if (typeof body !== 'object' || body === null || !('peaks' in body) || !Array.isArray(body.peaks)) return [];
  return body.peaks.filter((peak): peak is number => typeof peak === 'number');
}
