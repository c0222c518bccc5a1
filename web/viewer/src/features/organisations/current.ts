/** The organisation of the current screen. */
import type { JoinedOrganisationOut } from '@vitrine/api';
import { createContext, useContext } from 'react';

/** Provided by the organisation's layout. */
export const CurrentOrganisation = createContext<JoinedOrganisationOut | null>(null);

/** Returns the current organisation; throws outside its layout. */
export function useOrganisation(): JoinedOrganisationOut {
  const organisation = useContext(CurrentOrganisation);
  if (organisation === null) throw new Error('useOrganisation was called outside the organisation layout.');
  return organisation;
}
