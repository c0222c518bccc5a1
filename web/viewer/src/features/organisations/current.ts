/** The organisation of the screen. */
import type { ViewerOrganisationOut } from '@vitrine/api';
import { createContext, useContext } from 'react';

/** Set by the organisation's layout. */
export const CurrentOrganisation = createContext<ViewerOrganisationOut | null>(null);

/** The organisation whose screen this is; only inside its layout. */
export function useOrganisation(): ViewerOrganisationOut {
  const organisation = useContext(CurrentOrganisation);
  if (organisation === null) throw new Error('No organisation: this screen stands outside of its layout.');
  return organisation;
}
