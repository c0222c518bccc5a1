/** The organisation of the current screen, and the person's rights in it. */
import type { Role } from '@vitrine/api';
import { createContext, type ReactNode, useContext } from 'react';
import type { Membership } from './memberships.ts';
import { allows, type Policy } from './roles.ts';
import { orgTexts } from './texts.ts';

/** The current organisation, available without a request. */
export interface CurrentOrg {
  orgId: string;
  name: string;
  /** IANA name of the zone in which days and hours are reported. */
  timeZone: string;
  role: Role;
  /** Returns whether the person's role grants the policy. */
  can: (policy: Policy) => boolean;
}

const Context = createContext<CurrentOrg | null>(null);

/** Provides the current organisation to its screens. */
export function CurrentOrgProvider({ membership, children }: { membership: Membership; children: ReactNode }) {
  const { organisation, role } = membership;
  const value = {
    orgId: organisation.uid,
    name: organisation.name,
    timeZone: organisation.timeZone,
    role,
    can: (policy: Policy) => allows(role, policy),
  };
  return <Context value={value}>{children}</Context>;
}

/** Returns the current organisation; throws outside the provider. */
export function useCurrentOrg(): CurrentOrg {
  const current = useContext(Context);
  if (current === null) throw new Error(orgTexts.noOrg);
  return current;
}
