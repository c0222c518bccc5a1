import { describe, expect, test } from 'vitest';
import { currentPage, drawnPages, GAP, layoutOf, pageAt, positionAt, topOf } from './page-layout.ts';

const portrait = { width: 100, height: 150 };
const landscape = { width: 200, height: 100 };

describe('the layout of pages', () => {
  test('gives each page the same width and the height of its shape', () => {
    const layout = layoutOf([portrait, landscape, portrait], 400);
    expect(layout.heights).toEqual([600, 200, 600]);
    expect(layout.tops).toEqual([GAP, 600 + 2 * GAP, 800 + 3 * GAP]);
    expect(layout.total).toBe(1400 + 4 * GAP);
  });

  test('finds the page at an offset, and the first and last one outside', () => {
    const layout = layoutOf([portrait, portrait, portrait], 100);
    expect([-50, 0, 150, 173, 174, 10_000].map((y) => pageAt(layout, y))).toEqual([1, 1, 1, 1, 2, 3]);
  });

  test('keeps the position when pages are resized', () => {
    const small = layoutOf(Array(10).fill(portrait), 100);
    const large = layoutOf(Array(10).fill(portrait), 300);
    const position = positionAt(small, (small.tops[4] ?? 0) + 75 - GAP);
    expect(position).toEqual({ page: 5, share: 0.5 });
    expect(topOf(large, position)).toBe((large.tops[4] ?? 0) + 225 - GAP);
    expect(topOf(small, { page: 1, share: 0 })).toBe(0);
  });

  test('renders the visible pages and the same height on both sides', () => {
    const layout = layoutOf(Array(100).fill(portrait), 100);
    const pitch = 150 + GAP;
    expect(drawnPages(layout, 50 * pitch, 300)).toEqual({ first: 49, last: 54 });
    expect(drawnPages(layout, 0, 300)).toEqual({ first: 1, last: 4 });
  });
});

describe('the current page', () => {
  const layout = layoutOf(Array(10).fill(portrait), 100);
  const top = (page: number) => topOf(layout, { page, share: 0 });

  test('is the one with the largest visible part', () => {
    expect(currentPage(layout, top(3) + 40, 150, 1)).toBe(3);
    expect(currentPage(layout, top(3) + 110, 150, 3)).toBe(4);
  });

  test('stays the requested one while fully visible', () => {
    expect(currentPage(layout, top(3), 400, 4)).toBe(4);
    expect(currentPage(layout, top(3), 400, 5)).toBe(3);
  });

  test('is the first and the last one at the ends', () => {
    expect(currentPage(layout, 0, 400, 2)).toBe(1);
    expect(currentPage(layout, layout.total - 400, 400, 9)).toBe(10);
  });

  test('of a fully visible document is the requested one', () => {
    const short = layoutOf([portrait, portrait], 100);
    expect(currentPage(short, 0, 1000, 2)).toBe(2);
  });
});
