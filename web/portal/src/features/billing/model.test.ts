import { expect, test } from 'vitest';
import { profile } from '~/shared/testing/server.ts';
import { accountOf, accountRules, accountTypeOf, initialForm, shippedTitle } from './model.ts';

test('the titles of the shipped plans are known', () => {
  const titles = [shippedTitle('professional-monthly'), shippedTitle('gold'), shippedTitle('toString')];
  expect(titles).toEqual(['Professional Monthly', null, null]);
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
