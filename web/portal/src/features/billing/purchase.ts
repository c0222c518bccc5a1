/** What becomes of a purchase. */
import type { ProvisionOut } from '@vitrine/api';
import type { billingTexts } from './texts.ts';

/** Why a purchase leads to no organisation. */
export type PurchaseEnd = keyof typeof billingTexts.purchaseEnds;

/** Returns null while a purchase may still lead to its organisation, or if it did. */
export function endOf({ active, refused, state, reason, subscriptionEnded }: ProvisionOut): PurchaseEnd | null {
  if (active || state === 'open' || state === 'active' || state === 'pastDue') return null;
  // Its invoice can no longer be paid.
  if (state === 'suspended' && subscriptionEnded) return 'ended';
  if (state === 'expired' && reason === 'replaced') return 'replaced';
  return refused ? 'refused' : state;
}

/** Returns whether a purchase is still on its way to its organisation. */
export function isUnderWay(purchase: ProvisionOut): boolean {
  return !purchase.active && endOf(purchase) === null;
}

/** Returns whether a purchase no longer pays for its organisation, and no newer one of the account does. */
export function leadsNowhere(purchase: ProvisionOut, all: readonly ProvisionOut[]): boolean {
  const { orgId, state, subscriptionEnded } = purchase;
  const isOver = state === 'ended' || (state === 'suspended' && subscriptionEnded);
  // The newest purchase is first.
  return isOver && orgId != null && all.find((one) => one.orgId === orgId) === purchase;
}
