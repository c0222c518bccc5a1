import { expect, test } from 'vitest';
import { priceOf } from './money.ts';

test('amounts have the units of the payment provider and the decimals of their currency', () => {
  const shown = (amount: number, currency: string) => priceOf({ amount, currency }).replace(/\u00a0/g, ' ');
  expect(shown(4900, 'eur')).toBe('€49');
  expect(shown(199_050, 'gbp')).toBe('£1,990.50');
  expect(shown(4900, 'jpy')).toBe('JP¥4,900');
  expect(shown(49_500, 'kwd')).toBe('KWD 49.500');
  expect(shown(49_000, 'bhd')).toBe('BHD 49');
  // Charged in hundredths, although people do not use them.
  expect(shown(590_000, 'isk')).toBe('ISK 5,900');
  expect(shown(18_500_000, 'ugx')).toBe('UGX 185,000');
  expect(shown(4900, 'mga')).toBe('MGA 4,900');
});
