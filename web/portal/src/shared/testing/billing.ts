/** Billing accounts and purchases of the typed mock of the API. */
import type { AccountOut, ProvisionOut } from '@vitrine/api';
import { http } from 'msw';
import { list, profile } from './server.ts';

/** A billing account of the signed-in person. */
export function account(fields: Partial<AccountOut> = {}): AccountOut {
  return {
    uid: 'account',
    billingAddress: null,
    billingEmail: 'pay@example.com',
    billingName: 'Northwind Ltd',
    billingPhone: '+44',
    friendlyName: 'Northwind',
    type: 'business',
    managingUsers: [profile.uid],
    refusal: null,
    timeCreated: '2026-11-20T08:00:00Z',
    ...fields,
  };
}

/** A purchase that is not paid yet. */
export function purchase(fields: Partial<ProvisionOut> = {}): ProvisionOut {
  return {
    uid: 'purchase',
    orgId: null,
    active: false,
    planId: 'essentials-monthly',
    state: 'open',
    refused: false,
    subscriptionEnded: false,
    ...fields,
  };
}

/** The signed-in person manages the account, which made these purchases. */
export const managing = (of: () => AccountOut, purchases: () => ProvisionOut[] = () => []) => [
  http.get('*/v1/accounts', () => list([of()])),
  http.get('*/v1/accounts/:id/provisions', ({ params: { id } }) => list(id === of().uid ? purchases() : [])),
  http.get('*/v1/accounts/:id/usage', () => list([])),
];
