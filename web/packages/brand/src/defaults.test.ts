/** The product's colors are written down in several languages; here they are compared. */
import { palette } from '@vitrine/tokens';
import tokens from '@vitrine/tokens/tokens.css?raw';
import { describe, expect, it } from 'vitest';
import mail from '../../../../crates/mail/src/brand.rs?raw';
import orgs from '../../../../crates/orgs/src/model.rs?raw';
import portal from '../../../portal/vite.config.ts?raw';
import { INK, PAPER } from './contrast.ts';
import { brandDefaults } from './defaults.ts';

/** Returns the colors that follow `pattern` in the text. */
const found = (text: string, pattern: string) =>
  [...text.matchAll(new RegExp(`${pattern}["'](#[0-9a-f]{6})["']`, 'g'))].map(([, colour]) => colour);

describe('the default colors', () => {
  it('are those of a new organization', () => {
    const { primaryColor, secondaryColor, brandTextColor } = brandDefaults;
    expect(found(orgs, 'primary: ')).toEqual([primaryColor]);
    expect(found(orgs, 'secondary: ')).toEqual([secondaryColor]);
    expect(found(orgs, 'text: ')).toEqual([brandTextColor]);
  });

  it('are those of emails', () => {
    expect(found(mail, 'DEFAULT_COLOUR: &str = ')).toEqual([brandDefaults.primaryColor]);
    expect(found(mail, 'DARK_TEXT: &str = ')).toEqual([INK]);
    expect(found(mail, 'LIGHT_TEXT: &str = ')).toEqual([PAPER]);
  });

  it('are those of the installed portal', () => {
    expect(found(portal, 'theme_color: ')).toEqual([brandDefaults.primaryColor]);
  });
});

it('the custom properties are the palette', () => {
  const properties = [...tokens.matchAll(/--vt-([a-z]+)-(\d): (#[0-9a-f]{6});/g)].map(([, hue, shade, colour]) => [
    `${hue}-${shade}`,
    colour,
  ]);
  const shades = Object.entries(palette).flatMap(([hue, all]) =>
    all.map((colour, shade) => [`${hue}-${shade}`, colour]),
  );
  expect(properties.sort()).toEqual(shades.sort());
});
