/** Generated covers of playlists without an image: letters of the title on a color and a figure. */
import type { Hue } from './index.ts';

/** Cover colors that look good next to each other. */
const hues = ['orange', 'purple', 'teal', 'blue', 'green', 'yellow'] as const satisfies readonly Hue[];

/** Number of figures in cover.css. */
const FIGURES = 4;

/** Attributes and letters of a `vt-cover` element. */
export interface Cover {
  hue: (typeof hues)[number];
  figure: number;
  letters: string;
}

/** Returns the cover of an id: the same everywhere. A new title changes only the letters. */
export function coverOf(uid: string, title: string): Cover {
  let sum = 0;
  for (const letter of uid) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return {
    hue: hues[sum % hues.length] ?? 'orange',
    figure: Math.floor(sum / hues.length) % FIGURES,
    letters: lettersOf(title),
  };
}

/** Returns the first letters of the first two words. */
function lettersOf(title: string): string {
  return title
    .split(/\s+/u)
    .map((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? '')
    .filter(Boolean)
    .slice(0, 2)
    .join('')
    .toLocaleUpperCase();
}
