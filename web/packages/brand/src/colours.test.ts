import { palette } from '@vitrine/tokens';
import { describe, expect, it } from 'vitest';
import { brandVariables, corrections, initials } from './colours.ts';
import { contrast } from './contrast.ts';

const theme = (primaryColor: string, secondaryColor: string, brandTextColor: string) => ({
  primaryColor,
  secondaryColor,
  brandTextColor,
});

const THEMES = [
  theme('#1c1430', '#fb761c', '#ffffff'),
  theme('#ffffff', '#ffffff', '#ffffff'),
  theme('#000000', '#000000', '#000000'),
  theme('#ffe600', '#ffe600', '#ffffff'),
  theme('#777777', '#777777', '#777777'),
  theme('#00a45d', '#e94740', '#ff00ff'),
];

describe('brandVariables', () => {
  it.each(THEMES)('keeps all text readable with %o', (given) => {
    for (const scheme of ['light', 'dark'] as const) {
      const brand = brandVariables(given, scheme);
      const ratio = (a: string, b: string) => contrast(brand[a] ?? '', brand[b] ?? '');
      expect(ratio('--brand-text', '--brand-background')).toBeGreaterThanOrEqual(4.4);
      expect(ratio('--brand-text-soft', '--brand-background')).toBeGreaterThanOrEqual(4.4);
      expect(ratio('--brand-on-button', '--brand-button')).toBeGreaterThanOrEqual(4.4);
      expect(ratio('--brand-on-button', '--brand-button-hover')).toBeGreaterThanOrEqual(4.4);
      expect(ratio('--vt-on-accent', '--vt-accent')).toBeGreaterThanOrEqual(4.4);
      const backgrounds = scheme === 'light' ? [palette.gray[0], '#ffffff'] : [palette.dark[9], palette.dark[8]];
      for (const background of backgrounds)
        expect(contrast(brand['--vt-accent'] ?? '', background)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("keeps the organisation's colors if they are readable", () => {
    const brand = brandVariables(theme('#1c1430', '#fb761c', '#ffffff'), 'light');
    expect(brand).toMatchObject({
      '--brand-background': '#1c1430',
      '--brand-button': '#fb761c',
      '--brand-text': '#ffffff',
      '--brand-on-button': '#18181e',
    });
  });

  it('never lets an invalid color through', () => {
    const brand = brandVariables(theme('red; background: url(x)', '', 'javascript:1'), 'light');
    for (const value of Object.values(brand)) expect(value).toMatch(/^#[0-9a-f]{6}$/i);
  });

  it('draws a border around a button that would be invisible', () => {
    expect(brandVariables(theme('#000000', '#ffffff', '#ffffff'), 'light')['--brand-button-edge']).toBe('#8c8c94');
    expect(brandVariables(theme('#ffffff', '#ffffff', '#000000'), 'dark')['--brand-button-edge-on-brand']).toBe(
      '#000000',
    );
  });
});

describe('corrections', () => {
  it('are none for colors that can be read in both schemes', () => {
    expect(corrections(theme('#1c1430', '#8a55e8', '#ffffff')).map(({ place }) => place)).not.toContain('text');
  });

  it('name the place, and the color that is shown there', () => {
    expect(corrections(theme('#ffffff', '#ffe600', '#eeeeee'))).toEqual([
      { place: 'text', shown: '#18181e' },
      { place: 'light', shown: brandVariables(theme('#ffffff', '#ffe600', '#eeeeee'), 'light')['--vt-accent'] },
    ]);
    expect(corrections(theme('#000000', '#111111', '#ffffff')).map(({ place }) => place)).toEqual(['dark']);
  });

  it('do not judge a color that is being typed', () => {
    expect(corrections(theme('#fff', '', '#000000'))).toEqual([]);
  });
});

describe('initials', () => {
  it('are the first letters of two words, or two letters of one', () => {
    expect([initials('Fjord Flow'), initials('acme'), initials('Ö'), initials(' ')]).toEqual(['FF', 'AC', 'Ö', '']);
  });
});
