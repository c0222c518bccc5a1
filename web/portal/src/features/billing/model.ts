/** Plans, account types and the billing form. */

import { IconBuilding, IconBuildingSkyscraper, IconUser, type TablerIcon } from '@tabler/icons-react';
import type {
  AccountChangeIn,
  AccountOut,
  AccountType,
  NewAccountIn,
  PriceOut,
  ProfileOut,
  ProvisionOut,
} from '@vitrine/api';
import { storage } from '~/shared/lib/storage.ts';
import { billingTexts } from './texts.ts';

const shippedTitles: Readonly<Record<string, string>> = billingTexts.plans;

/** Returns the title of a plan that Vitrine ships, or null for another id. */
export function shippedTitle(id: string): string | null {
  return Object.hasOwn(shippedTitles, id) ? (shippedTitles[id] ?? null) : null;
}

/** Returns the id of the plan chosen on the pricing page, stored until the purchase is complete. */
export function storedPlan(): string | null {
  return storage.get('planId') || null;
}

/** Why a purchase leads to no organisation. */
export type PurchaseEnd = keyof typeof billingTexts.purchaseEnds;

/** Returns null while a purchase may still lead to its organisation, or if it did. */
export function endOf({ active, refused, state }: ProvisionOut): PurchaseEnd | null {
  if (active || state === 'open' || state === 'active' || state === 'pastDue') return null;
  return refused ? 'refused' : state;
}

/** Formats a price in the person's locale, whole amounts without decimals. */
export function priceOf({ amount, currency }: PriceOut): string {
  const digits = new Intl.NumberFormat(undefined, { style: 'currency', currency }).resolvedOptions();
  const value = amount / 10 ** (digits.maximumFractionDigits ?? 2);
  const trailingZeroDisplay = 'stripIfInteger';
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, trailingZeroDisplay }).format(value);
}

/** The account types with label, description and icon. */
export const accountTypes: readonly { value: AccountType; label: string; hint: string; icon: TablerIcon }[] = [
  { value: 'individual', ...billingTexts.accountTypes.individual, icon: IconUser },
  { value: 'business', ...billingTexts.accountTypes.business, icon: IconBuilding },
  { value: 'agency', ...billingTexts.accountTypes.agency, icon: IconBuildingSkyscraper },
];

/** Returns the account type, or null if the text is not one. */
export function accountTypeOf(text: string): AccountType | null {
  return accountTypes.find(({ value }) => value === text)?.value ?? null;
}

/** Values of the billing form. */
export interface AccountForm {
  billingName: string;
  billingEmail: string;
  billingPhone: string;
  friendlyName: string;
}

/** Checks that fields are filled; the payment provider validates their format. */
export const accountRules = {
  friendlyName: (value: string) => required(value, billingTexts.nickNameRequired),
  billingName: (value: string) => required(value, billingTexts.billingNameRequired),
  billingEmail: (value: string) => required(value, billingTexts.billingEmailRequired),
  billingPhone: (value: string) => required(value, billingTexts.billingPhoneRequired),
};

/** Prefills name and email for an individual account; other types start empty. */
export function initialForm(type: AccountType, profile: ProfileOut | undefined): AccountForm {
  const own = type === 'individual' && profile !== undefined;
  return {
    billingName: own ? profile.displayName : '',
    billingEmail: own ? profile.email : '',
    billingPhone: '',
    friendlyName: '',
  };
}

/** Returns the details of an account as the form has them. */
export function formOf({ billingName, billingEmail, billingPhone, friendlyName }: AccountOut): AccountForm {
  return { billingName, billingEmail, billingPhone, friendlyName };
}

/** Returns what the form changes, or null for nothing; what is not sent keeps the changes of other managers. */
export function changesOf(account: AccountOut, form: AccountForm, type: AccountType): AccountChangeIn | null {
  const before = formOf(account);
  const changed = Object.entries(form).filter(([name, value]) => value !== before[name as keyof AccountForm]);
  if (type !== account.type) changed.push(['type', type]);
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

/** Returns the type of an account and the wider ones. */
export function widerTypes(type: AccountType) {
  return accountTypes.slice(accountTypes.findIndex(({ value }) => value === type));
}

/** Builds the request to create the account. */
export function accountOf(form: AccountForm, type: AccountType): NewAccountIn {
  return { ...form, billingAddress: null, type };
}

function required(value: string, message: string): string | null {
  return value.trim() === '' ? message : null;
}
