/** What a playlist without a picture wears: letters of its title on a colour and a figure of its own. */
import type { Hue } from './index.ts';

/** Colours of covers: those that look well beside one another. */
const hues = ['orange', 'purple', 'teal', 'blue', 'green', 'yellow'] as const satisfies readonly Hue[];

/** How many figures cover.css draws. */
const FIGURES = 4;

/** The attributes of an element of class `vt-cover`, and the letters in it. */
export interface Cover {
  hue: (typeof hues)[number];
  figure: number;
  letters: string;
}

/** The same cover for the same id, wherever it is shown; a new title changes its letters only. */
export function coverOf(uid: string, title: string): Cover {
  let sum = 0;
  for (const letter of uid) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return {
    hue: hues[sum % hues.length] ?? 'orange',
    figure: Math.floor(sum / hues.length) % FIGURES,
    letters: lettersOf(title),
  };
}

/** The first letters of the first two words. */
function lettersOf(title: string): string {
  return title
    .split(/\s+/u)
    .map((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? '')
    .filter(Boolean)
    .slice(0, 2)
    .join('')
    .toLocaleUpperCase();
}
