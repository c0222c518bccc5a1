/** The organisation of the current screen. */
import type { ViewerOrganisationOut } from '@vitrine/api';
import { createContext, useContext } from 'react';

/** Provided by the organisation's layout. */
export const CurrentOrganisation = createContext<ViewerOrganisationOut | null>(null);

/** Returns the current organisation; throws outside its layout. */
export function useOrganisation(): ViewerOrganisationOut {
  const organisation = useContext(CurrentOrganisation);
  if (organisation === null) throw new Error('useOrganisation was called outside the organisation layout.');
  return organisation;
}
