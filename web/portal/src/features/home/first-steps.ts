/** The steps of the first hour: who may take which, and whether they are hidden in this browser. */
import { type Policy, policies } from '~/features/orgs/roles.ts';

/** A step of the first hour. */
export type Step = 'brand' | 'playlist' | 'upload' | 'link' | 'colleague';

const needed: Readonly<Record<Step, Policy>> = {
  brand: policies.organisationUpdate,
  playlist: policies.playlistCreate,
  upload: policies.contentCreate,
  link: policies.organisationUpdate,
  colleague: policies.usersList,
};

/** Returns the steps that the person may take, in order. */
export function stepsFor(can: (policy: Policy) => boolean): Step[] {
  return (Object.keys(needed) as Step[]).filter((step) => can(needed[step]));
}

const keyOf = (orgId: string) => `vitrine.firstSteps.${orgId}`;

/** Returns whether all steps were done, or the person hid them. */
export function areHidden(orgId: string): boolean {
  try {
    return localStorage.getItem(keyOf(orgId)) !== null;
  } catch {
    return false;
  }
}

/** Hides the steps from now on. */
export function hide(orgId: string): void {
  try {
    localStorage.setItem(keyOf(orgId), 'hidden');
  } catch {
    // Storage is full or forbidden: they are hidden until the next visit.
  }
}
