import { expect, test } from 'vitest';
import { profile } from '~/shared/testing/server.ts';
import { accountOf, accountRules, accountTypeOf, initialForm, linesOf } from './model.ts';

test('limits are lines of text', () => {
  const limits = {
    storageBytes: 2 * 1024 ** 4,
    fileBytes: null,
    staffSeats: 1,
    appUsers: 100_000,
    analyticsMonths: 13,
  };
  expect(linesOf(limits)).toEqual([
    '2 TB of storage',
    'Files of any size',
    '1 staff seat',
    '100,000 app users',
    '13 months of analytics',
  ]);
  const none = {
    storageBytes: null,
    fileBytes: 5 * 1024 ** 3,
    staffSeats: null,
    appUsers: null,
    analyticsMonths: null,
  };
  expect(linesOf(none)).toEqual([
    'Any amount of storage',
    'Files up to 5 GB',
    'Any number of staff seats',
    'Any number of app users',
    'Unlimited analytics history',
  ]);
});

test('an individual account is prefilled, others start empty', () => {
  expect(initialForm('individual', profile)).toMatchObject({
    billingName: 'Ada Byron',
    billingEmail: 'ada@example.com',
  });
  expect(initialForm('business', profile)).toMatchObject({ billingName: '', billingEmail: '' });
});

test('the four messages are literal, and nothing but emptiness is checked', () => {
  expect([
    accountRules.friendlyName(''),
    accountRules.billingName(' '),
    accountRules.billingEmail(''),
    accountRules.billingPhone(''),
  ]).toEqual([
    'Nick name is required',
    'Billing name is required',
    'Billing email is required.',
    'Billing phone is required',
  ]);
  expect(accountRules.billingEmail('x')).toBeNull();
});

test('the account carries its type and no address', () => {
  expect(accountOf(initialForm('agency', profile), 'agency')).toMatchObject({ type: 'agency', billingAddress: null });
  expect([accountTypeOf('agency'), accountTypeOf('other')]).toEqual(['agency', null]);
});
