/** Where the pages of a document stand, one under the other, and which of them are seen. Pure. */

/** Width and height, in any unit. */
export interface Size {
  width: number;
  height: number;
}

/** Pixels between two pages, and before the first and after the last one. */
export const GAP = 12;

/** All pages, each as wide as `width`, by their distance from the top. */
export interface Layout {
  width: number;
  tops: readonly number[];
  heights: readonly number[];
  total: number;
}

/** A place that stays the same when pages grow: a page and the share of it above the place. */
export interface Place {
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

/** The number of the last page that begins at or above `y`; pages count from 1. */
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

/** What lies at the upper edge. */
export function placeAt(layout: Layout, top: number): Place {
  const page = pageAt(layout, top + GAP);
  const height = layout.heights[page - 1] ?? 0;
  const share = height === 0 ? 0 : (top + GAP - (layout.tops[page - 1] ?? 0)) / height;
  return { page, share: Math.max(0, share) };
}

/** How far down to scroll so that the place lies at the upper edge. */
export function topOf(layout: Layout, { page, share }: Place): number {
  return Math.max(0, (layout.tops[page - 1] ?? 0) + share * (layout.heights[page - 1] ?? 0) - GAP);
}

/** First and last page worth drawing: what is seen, and as much again above and below. */
export function drawnPages(layout: Layout, top: number, height: number): { first: number; last: number } {
  return { first: pageAt(layout, top - height), last: pageAt(layout, top + 2 * height) };
}

/**
 * The page that is looked at. `before` stays while it is wholly seen, so that a page somebody asked for is the one they
 * are told; the first and the last page are reached at the ends.
 */
export function pageSeen(layout: Layout, top: number, height: number, before: number): number {
  const pages = layout.tops.length;
  if (layout.total > height) {
    if (top <= 0) return 1;
    if (top + height >= layout.total - 1) return pages;
  }
  const seen = (page: number) => {
    const from = layout.tops[page - 1] ?? 0;
    return Math.min(from + (layout.heights[page - 1] ?? 0), top + height) - Math.max(from, top);
  };
  const last = pageAt(layout, top + height);
  let most = pageAt(layout, top);
  if (before >= most && before <= last && seen(before) >= (layout.heights[before - 1] ?? 0)) return before;
  for (let page = most + 1; page <= last; page += 1) if (seen(page) > seen(most)) most = page;
  return most;
}
