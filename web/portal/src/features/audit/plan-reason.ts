/** Why a plan is in its state. */
import { dateOf } from '~/shared/lib/format.ts';
import { auditTexts } from './texts.ts';

const texts: Readonly<Record<string, (date: string | null) => string>> = auditTexts.reasons;

/** Returns the reason as a sentence, or null for one that is unknown. `unpaidSince` is the time of the unpaid invoice. */
export function reasonText(reason: unknown, unpaidSince: unknown): string | null {
  const date = typeof unpaidSince === 'string' ? dateOf(unpaidSince) : null;
  return texts[String(reason)]?.(date) ?? null;
}
