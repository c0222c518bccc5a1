/** Amounts of money as the payment provider counts them. */
import type { PriceOut } from '@vitrine/api';
import { locale } from '~/shared/lib/locale.ts';

/** Currencies that the provider counts in whole units. */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
/** Currencies that it counts in thousandths. All others are counted in hundredths, also those shown without decimals. */
const THOUSANDTHS = new Set('bhd jod kwd omr tnd'.split(' '));

/** Formats an amount in the person's locale, whole amounts without decimals. */
export function priceOf({ amount, currency }: PriceOut): string {
  const digits = WHOLE.has(currency) ? 0 : THOUSANDTHS.has(currency) ? 3 : 2;
  const value = amount / 10 ** digits;
  const style = { style: 'currency', currency } as const;
  return new Intl.NumberFormat(locale, { ...style, trailingZeroDisplay: 'stripIfInteger' }).format(value);
}
