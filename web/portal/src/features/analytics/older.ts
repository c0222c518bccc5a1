/** What is said of figures that stay on the screen until those of another range arrive. */
import type { Unit } from './model.ts';
import type { Range } from './ranges.ts';
import { analyticsTexts } from './texts.ts';

/** Returns which figures are on the screen, if they are not those of the chosen range. */
export function olderFigures(kept: { tag: Range } | undefined, range: Range): string | undefined {
  return kept === undefined || kept.tag === range
    ? undefined
    : analyticsTexts.staleFor(analyticsTexts.ranges[kept.tag]);
}

/** Returns the same where the interval is chosen, too. */
export function olderBars(kept: { tag: { range: Range; unit: Unit } } | undefined, range: Range, unit: Unit) {
  if (kept === undefined || kept.tag.unit === unit) return olderFigures(kept && { tag: kept.tag.range }, range);
  return analyticsTexts.staleFor(`${analyticsTexts.ranges[kept.tag.range]}, ${analyticsTexts.byUnit[kept.tag.unit]}`);
}
