import { palette } from '@vitrine/tokens';
import { describe, expect, it } from 'vitest';
import { contrast } from '~/shared/lib/contrast.ts';
import { brandVariables } from './brand.ts';

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
