/** An organisation's three colors as custom properties, readable in light and dark schemes. */
import type { ThemeOut } from '@vitrine/api';
import { palette } from '@vitrine/tokens';
import { contrast, isHexColour, mix, PAPER, readableOn, shiftedFor } from './contrast.ts';
import { brandDefaults } from './defaults.ts';

/** ThemeOut colors: background, button and text. */
export type BrandColours = Pick<ThemeOut, 'primaryColor' | 'secondaryColor' | 'brandTextColor'>;

/** A color scheme. */
export type Scheme = 'light' | 'dark';

/** Backgrounds of the app's text: canvas, surface and raised surface. */
const BACKGROUNDS = {
  light: [palette.gray[0], PAPER, palette.gray[1]],
  dark: [palette.dark[9], palette.dark[8], palette.dark[7]],
} as const;

const FADED = { light: '#8c8c94', dark: '#6b6b74' } as const;

/** Background of the player's controls, the same in both schemes. */
const CONTROLS = palette.dark[9];

/** Returns the theme's background color. */
export function brandBackground(theme: BrandColours | undefined): string {
  return colourOf(theme?.primaryColor, brandDefaults.primaryColor);
}

/** Returns the theme's custom properties; a missing or invalid color falls back to the product's. */
export function brandVariables(theme: BrandColours | undefined, scheme: Scheme): Record<string, string> {
  const background = brandBackground(theme);
  const button = colourOf(theme?.secondaryColor, brandDefaults.secondaryColor);
  const text = readableOn(background, colourOf(theme?.brandTextColor, brandDefaults.brandTextColor));
  const onButton = readableOn(button);
  const backgrounds = BACKGROUNDS[scheme];
  const accent = shiftedFor(button, backgrounds, 4.5);
  const visible = backgrounds.every((each) => contrast(button, each) >= 1.5);
  return {
    '--brand-background': background,
    '--brand-text': text,
    '--brand-text-soft': softest(text, background),
    '--brand-button': button,
    '--brand-on-button': onButton,
    '--brand-button-hover': hover(button, onButton),
    '--brand-button-edge': visible ? button : FADED[scheme],
    '--brand-button-edge-on-brand': contrast(button, background) >= 1.5 ? button : text,
    '--vt-accent': accent,
    '--vt-accent-hover': mix(accent, readableOn(backgrounds[0]), 0.25),
    '--vt-on-accent': readableOn(accent),
    '--vt-media-accent': shiftedFor(button, [CONTROLS], 4.5),
  };
}

/** A color that the app does not show as it was chosen. */
export interface Correction {
  /** Where it replaces the chosen color: texts on the background, or links and controls in a scheme. */
  place: 'text' | Scheme;
  /** The color that is shown instead. */
  shown: string;
}

/** Returns what the app corrects so that everything can be read. Invalid colors are not judged. */
export function corrections(theme: BrandColours): Correction[] {
  const [primaryColor, secondaryColor, brandTextColor] = [
    theme.primaryColor,
    theme.secondaryColor,
    theme.brandTextColor,
  ].map((colour) => colour.toLowerCase()) as [string, string, string];
  if (![primaryColor, secondaryColor, brandTextColor].every(isHexColour)) return [];
  const text = readableOn(primaryColor, brandTextColor);
  const found: Correction[] = text === brandTextColor ? [] : [{ place: 'text', shown: text }];
  for (const scheme of ['light', 'dark'] as const) {
    const accent = shiftedFor(secondaryColor, BACKGROUNDS[scheme], 4.5);
    if (accent !== secondaryColor) found.push({ place: scheme, shown: accent });
  }
  return found;
}

/** Returns one or two letters for an organisation without a logo. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters =
    words.length > 1 ? [words[0], words[1]].map((word) => [...(word ?? '')][0]) : [...name.trim()].slice(0, 2);
  return letters.join('').toUpperCase();
}

function colourOf(text: string | undefined, otherwise: string): string {
  return text !== undefined && isHexColour(text) ? text : otherwise;
}

/** Returns a softer text color if contrast allows, otherwise the text color itself. */
function softest(text: string, background: string): string {
  for (const part of [0.25, 0.15, 0.08]) {
    const tried = mix(text, background, part);
    if (contrast(tried, background) >= 4.5) return tried;
  }
  return text;
}

/** Shifts toward the text color if the label stays readable, otherwise away from it. */
function hover(button: string, ink: string): string {
  const nearer = mix(button, ink, 0.1);
  return contrast(nearer, ink) >= 4.5 ? nearer : mix(button, readableOn(ink), 0.12);
}
