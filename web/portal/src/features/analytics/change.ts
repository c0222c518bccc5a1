/** How a figure changed against the period before, in words. */
import { count, percent } from '~/shared/lib/format.ts';
import { changeTexts } from './parts/texts.ts';

/** From this factor on, a factor is easier to read than a percentage. */
const MANY_TIMES = 10;

/** A change in words, and its direction. */
export interface Change {
  text: string;
  direction: 'up' | 'down' | 'same';
}

/**
 * Compares a figure with that of the period before, which `period` names: 'the 28 days before'. If the plan cut that period,
 * there is no comparison, and the answer says why.
 */
export function changeOf(now: number, before: number, period: string, limitedFrom?: string | null): Change | string {
  if (limitedFrom) return changeTexts.limited(period);
  if (now === before) return { text: changeTexts.same(period), direction: 'same' };
  if (before === 0) return { text: changeTexts.fromNone(period), direction: 'up' };
  if (now >= MANY_TIMES * before) {
    return { text: changeTexts.times(count(Math.floor(now / before)), period), direction: 'up' };
  }
  const share = Math.abs(now - before) / before;
  return now > before
    ? { text: changeTexts.more(percent(share), period), direction: 'up' }
    : { text: changeTexts.less(percent(share), period), direction: 'down' };
}
