/** Layout of document pages in a column, and which of them are visible. Pure functions. */

/** Width and height, in any unit. */
export interface Size {
  width: number;
  height: number;
}

/** Pixels between pages, before the first and after the last. */
export const GAP = 12;

/** Lays out all pages at `width`, with their distance from the top. */
export interface Layout {
  width: number;
  tops: readonly number[];
  heights: readonly number[];
  total: number;
}

/** A position that survives zooming: a page, and the fraction of it above the position. */
export interface Position {
  page: number;
  share: number;
}

export function layoutOf(sizes: readonly Size[], width: number): Layout {
  const tops: number[] = [];
  const heights: number[] = [];
  let top = GAP;
  for (const size of sizes) {
    const height = Math.round((width * size.height) / size.width);
    tops.push(top);
    heights.push(height);
    top += height + GAP;
  }
  return { width, tops, heights, total: top };
}

/** Returns the number of the last page that starts at or above `y`; pages count from 1. */
export function pageAt({ tops }: Layout, y: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Returns the position at the top edge. */
export function positionAt(layout: Layout, top: number): Position {
  const page = pageAt(layout, top + GAP);
  const height = layout.heights[page - 1] ?? 0;
  const share = height === 0 ? 0 : (top + GAP - (layout.tops[page - 1] ?? 0)) / height;
  return { page, share: Math.max(0, share) };
}

/** Returns the scroll offset that puts the position at the top edge. */
export function topOf(layout: Layout, { page, share }: Position): number {
  return Math.max(0, (layout.tops[page - 1] ?? 0) + share * (layout.heights[page - 1] ?? 0) - GAP);
}

/** Returns the first and last page to render: the visible area and the same height above and below. */
export function drawnPages(layout: Layout, top: number, height: number): { first: number; last: number } {
  return { first: pageAt(layout, top - height), last: pageAt(layout, top + 2 * height) };
}

/**
 * Returns the current page. `before` remains current while fully visible, so that navigating to a page shows its number;
 * the first and last page become current at the ends.
 */
export function currentPage(layout: Layout, top: number, height: number, before: number): number {
  const pages = layout.tops.length;
  if (layout.total > height) {
    if (top <= 0) return 1;
    if (top + height >= layout.total - 1) return pages;
  }
  const visibleHeight = (page: number) => {
    const from = layout.tops[page - 1] ?? 0;
    return Math.min(from + (layout.heights[page - 1] ?? 0), top + height) - Math.max(from, top);
  };
  const last = pageAt(layout, top + height);
  let most = pageAt(layout, top);
  if (before >= most && before <= last && visibleHeight(before) >= (layout.heights[before - 1] ?? 0)) return before;
  for (let page = most + 1; page <= last; page += 1) if (visibleHeight(page) > visibleHeight(most)) most = page;
  return most;
}
