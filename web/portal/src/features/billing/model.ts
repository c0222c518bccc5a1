/** Plans, account types and the billing form. */

import { IconBuilding, IconBuildingSkyscraper, IconUser, type TablerIcon } from '@tabler/icons-react';
import type { AccountChangeIn, AccountOut, AccountType, LimitsOut, NewAccountIn, ProfileOut } from '@vitrine/api';
import { count, fileSize, plural } from '~/shared/lib/format.ts';
import { storage } from '~/shared/lib/storage.ts';
import { billingTexts } from './texts.ts';

/** Returns the id of the plan chosen on the pricing page, stored until the purchase is complete. */
export function storedPlan(): string | null {
  return storage.get('planId') || null;
}

/** Returns what a plan allows, one line each. */
export function linesOf({ storageBytes, fileBytes, staffSeats, appUsers, analyticsMonths }: LimitsOut): string[] {
  const { allows } = billingTexts;
  return [
    storageBytes == null ? allows.anyStorage : allows.storage(fileSize(storageBytes)),
    fileBytes == null ? allows.anyFile : allows.file(fileSize(fileBytes)),
    staffSeats == null ? allows.anyStaff : plural(staffSeats, allows.seat),
    appUsers == null ? allows.anyAppUsers : plural(appUsers, allows.appUser),
    analyticsMonths == null ? allows.anyMonths : allows.months(count(analyticsMonths)),
  ];
}

/** A checkout for an organisation that does not exist yet. */
export const NEW_ORGANISATION = 'new';

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
