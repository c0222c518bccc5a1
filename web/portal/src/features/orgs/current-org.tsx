/** The organisation of the current screen, and what the person may do there. */
import type { Role } from '@vitrine/api';
import { createContext, type ReactNode, useContext } from 'react';
import type { Membership } from './memberships.ts';
import { allows, type Policy } from './roles.ts';
import { orgTexts } from './texts.ts';

/** What a screen knows about its organisation without asking. */
export interface CurrentOrg {
  orgId: string;
  name: string;
  role: Role;
  /** Whether the person's role carries the policy here. */
  can: (policy: Policy) => boolean;
}

const Context = createContext<CurrentOrg | null>(null);

/** Stands around every screen of an organisation. */
export function CurrentOrgProvider({ membership, children }: { membership: Membership; children: ReactNode }) {
  const { organisation, role } = membership;
  const value = {
    orgId: organisation.uid,
    name: organisation.name,
    role,
    can: (policy: Policy) => allows(role, policy),
  };
  return <Context value={value}>{children}</Context>;
}

/** The organisation of the screen; a screen outside one is a fault of ours. */
export function useCurrentOrg(): CurrentOrg {
  const current = useContext(Context);
  if (current === null) throw new Error(orgTexts.noOrg);
  return current;
}
