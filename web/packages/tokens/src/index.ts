/** Design tokens shared by both apps: palette, spacing, radii and type, as plain values. */

type Shades = readonly [string, string, string, string, string, string, string, string, string, string];

/** Ten shades per color, lightest first; generated in OKLCH so that equal steps look equal. */
export const palette = {
  orange: [
    '#fff7ee',
    '#ffebd8',
    '#ffd7b6',
    '#ffbc89',
    '#ff9852',
    '#fb761c',
    '#eb5900',
    '#ca4500',
    '#9c360b',
    '#722911',
  ],
  purple: [
    '#f9f6ff',
    '#f1ecff',
    '#e4daff',
    '#d1bfff',
    '#b89bff',
    '#9c71f9',
    '#854fed',
    '#703cd2',
    '#5831a9',
    '#41277f',
  ],
  gray: ['#fafafb', '#f4f4f6', '#e7e7ea', '#d4d4d9', '#a4a4ab', '#6c6c74', '#56565e', '#3f3f47', '#27272e', '#18181e'],
  dark: ['#f5f5f7', '#d2d2d6', '#a8a8af', '#83838c', '#56565e', '#3c3c44', '#2d2d34', '#202026', '#17171c', '#0e0e12'],
  green: ['#f0f9f3', '#e0f5e6', '#c2eccf', '#99dfb1', '#66d191', '#30be74', '#00a45d', '#00864c', '#006a3a', '#004d29'],
  yellow: [
    '#fcf6ee',
    '#faecdb',
    '#f5dbb9',
    '#efc489',
    '#e7ab51',
    '#d79100',
    '#b77b00',
    '#976500',
    '#774f00',
    '#573900',
  ],
  red: ['#fff4f2', '#ffe9e6', '#ffd4ce', '#ffb7ae', '#ff968a', '#ff6b60', '#e94740', '#c33530', '#9a2925', '#711f1b'],
  blue: ['#f2f7ff', '#e4f0ff', '#cbe2ff', '#aacfff', '#85baff', '#5aa3ff', '#3589ed', '#2570c6', '#1d589d', '#154072'],
  teal: ['#f0f9f8', '#e0f3f2', '#c2e8e8', '#99dad9', '#67caca', '#31b7b7', '#009d9d', '#008181', '#006566', '#004a4a'],
} as const satisfies Record<string, Shades>;

/** Name of a palette color. */
export type Hue = keyof typeof palette;

/** Font stack; the variable font is self-hosted (fonts.css). */
export const fontFamily =
  "'Inter Variable', 'Inter on Arial', 'Inter on Roboto', 'Inter on DejaVu', system-ui, -apple-system, 'Segoe UI', sans-serif";

/** Type sizes in pixels. */
export const type = { caption: 12, control: 13, body: 14, h4: 16, h3: 18, h2: 22, h1: 28 } as const;

/** Spacing steps in pixels. */
export const space = { xs: 4, sm: 8, md: 12, lg: 16, xl: 24, xxl: 32, huge: 48 } as const;

/** Corner radii in pixels. */
export const radius = { control: 6, button: 8, card: 12, modal: 16 } as const;
