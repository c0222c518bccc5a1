/** Makes custom colors readable: WCAG contrast of `#rrggbb` values. */

type Rgb = readonly [number, number, number];

/** The two text colors to choose from. */
export const INK = '#18181e';
export const PAPER = '#ffffff';

/** Returns whether the text is a `#rrggbb` color. */
export function isHexColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** Returns the WCAG contrast ratio of two colors, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the wanted text color if its contrast is at least 4.5, otherwise the better of dark and white. */
export function readableOn(background: string, wanted?: string): string {
  if (wanted !== undefined && contrast(wanted, background) >= 4.5) return wanted;
  return contrast(PAPER, background) >= contrast(INK, background) ? PAPER : INK;
}

/** Shifts the color toward dark or white, just enough to reach `ratio` on every background. */
export function shiftedFor(colour: string, backgrounds: readonly string[], ratio: number): string {
  const towards = readableOn(backgrounds[0] ?? PAPER);
  for (let part = 0; part < 1; part += 0.05) {
    const tried = mix(colour, towards, part);
    if (backgrounds.every((background) => contrast(tried, background) >= ratio)) return tried;
  }
  return towards;
}

/** Mixes `part` (0..1) of the second color into the first. */
export function mix(first: string, second: string, part: number): string {
  const a = channels(first);
  const b = channels(second);
  const hex = a.map((value, i) => {
    const mixed = Math.round(value + ((b[i] ?? 0) - value) * part);
    return mixed.toString(16).padStart(2, '0');
  });
  return `#${hex.join('')}`;
}

function channels(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function luminance(colour: string): number {
  const [r, g, b] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
