import { describe, expect, it } from 'vitest';
import { contrast, INK, isHexColour, mix, PAPER, readableOn, shiftedFor } from './contrast.ts';

describe('contrast', () => {
  it('is 21 for black on white, 1 for a color on itself, and symmetric', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#ca4500', '#ca4500')).toBe(1);
    expect(contrast('#ca4500', '#ffffff')).toBeCloseTo(4.81, 2);
    expect(contrast('#ffffff', '#ca4500')).toBe(contrast('#ca4500', '#ffffff'));
  });

  it('recognizes colors', () => {
    expect(isHexColour('#A1b2C3')).toBe(true);
    for (const text of ['', '#fff', 'red', '#12345g', '#1234567', 'url(x)']) expect(isHexColour(text)).toBe(false);
  });
});

describe('readable text', () => {
  it('puts dark ink on bright orange and white on deep purple', () => {
    expect(readableOn('#fb761c')).toBe(INK);
    expect(readableOn('#1c1430')).toBe(PAPER);
  });

  it('keeps the wanted text color only if it is readable', () => {
    expect(readableOn('#1c1430', '#ffebd8')).toBe('#ffebd8');
    expect(readableOn('#ffffff', '#ffebd8')).toBe(INK);
  });

  it('is readable on every color, in steps of 17', () => {
    for (let r = 0; r < 256; r += 17) {
      for (let g = 0; g < 256; g += 17) {
        for (let b = 0; b < 256; b += 17) {
          const background = `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
          expect(contrast(readableOn(background), background)).toBeGreaterThanOrEqual(4.2);
        }
      }
    }
  });

  it('shifts a color only as far as necessary', () => {
    expect(shiftedFor('#722911', ['#ffffff'], 4.5)).toBe('#722911');
    const darker = shiftedFor('#ffd700', ['#ffffff', '#fafafb'], 4.5);
    expect(contrast(darker, '#fafafb')).toBeGreaterThanOrEqual(4.5);
    const lighter = shiftedFor('#1c1430', ['#0e0e12', '#17171c'], 4.5);
    expect(contrast(lighter, '#17171c')).toBeGreaterThanOrEqual(4.5);
  });

  it('mixes colors', () => {
    expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080');
    expect(mix('#123456', '#ffffff', 0)).toBe('#123456');
  });
});
