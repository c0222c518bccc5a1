/** Plans, account types and the billing form. */

import { IconBuilding, IconBuildingSkyscraper, IconUser, type TablerIcon } from '@tabler/icons-react';
import type { AccountIn, AccountType, PlanId, ProfileOut, ProvisionOut } from '@vitrine/api';
import { storage } from '~/shared/lib/storage.ts';
import { billingTexts } from './texts.ts';

const planTitles: Readonly<Record<PlanId, string>> = billingTexts.plans;

/** The id if it names one of our plans; anything else counts as no plan (G-20). */
export function planOf(id: string | null | undefined): PlanId | null {
  return id !== null && id !== undefined && Object.hasOwn(planTitles, id) ? (id as PlanId) : null;
}

/** The plan's title; empty without one. */
export function planTitle(plan: PlanId | null): string {
  return plan === null ? '' : planTitles[plan];
}

/** The plan chosen on the pricing page, kept until the purchase is through. */
export function storedPlan(): PlanId | null {
  return planOf(storage.get('planId'));
}

/** The three account types, in words. */
export const accountTypes: readonly { value: AccountType; label: string; hint: string; icon: TablerIcon }[] = [
  { value: 'individual', ...billingTexts.accountTypes.individual, icon: IconUser },
  { value: 'business', ...billingTexts.accountTypes.business, icon: IconBuilding },
  { value: 'agency', ...billingTexts.accountTypes.agency, icon: IconBuildingSkyscraper },
];

/** The type if it is one of the three, otherwise null (G-24). */
export function accountTypeOf(text: string): AccountType | null {
  return accountTypes.find(({ value }) => value === text)?.value ?? null;
}

/** The billing form. */
export interface AccountForm {
  billingName: string;
  billingEmail: string;
  billingPhone: string;
  friendlyName: string;
}

/** Non-empty checks only, no format check (spec section 5). */
export const accountRules = {
  friendlyName: (value: string) => required(value, billingTexts.nickNameRequired),
  billingName: (value: string) => required(value, billingTexts.billingNameRequired),
  billingEmail: (value: string) => required(value, billingTexts.billingEmailRequired),
  billingPhone: (value: string) => required(value, billingTexts.billingPhoneRequired),
};

/** An individual pays as the person; others start empty. */
export function initialForm(type: AccountType, profile: ProfileOut | undefined): AccountForm {
  const own = type === 'individual' && profile !== undefined;
  return {
    billingName: own ? profile.displayName : '',
    billingEmail: own ? profile.email : '',
    billingPhone: '',
    friendlyName: '',
  };
}

/** What creating the account sends. */
export function accountOf(form: AccountForm, type: AccountType): AccountIn {
  return { ...form, billingAddress: null, type };
}

/** The bought provision among those of the account. */
export function findProvision(provisions: readonly ProvisionOut[], uid: string): ProvisionOut | null {
  return provisions.find((one) => one.uid === uid) ?? null;
}

function required(value: string, message: string): string | null {
  return value.trim() === '' ? message : null;
}
