/** What is said of figures that stay on the screen until those of another range arrive. */
import type { Unit } from './model.ts';
import type { Range } from './ranges.ts';
import { analyticsTexts } from './texts.ts';

/** Returns which figures are on the screen, if they are not those of the chosen range. */
export function olderFigures(shown: Range | undefined, range: Range): string | undefined {
  return shown === undefined || shown === range ? undefined : analyticsTexts.staleFor(analyticsTexts.ranges[shown]);
}

/** Returns the same where an interval is chosen, too. */
export function olderBars(shown: { range: Range; unit: Unit } | undefined, range: Range, unit: Unit) {
  if (shown === undefined || shown.unit === unit) return olderFigures(shown?.range, range);
  return analyticsTexts.staleFor(`${analyticsTexts.ranges[shown.range]}, ${analyticsTexts.byUnit[shown.unit]}`);
}
