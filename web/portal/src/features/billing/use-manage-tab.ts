/** Opens the payment provider's page of an account in a new tab. */
import { useState } from 'react';
import { isWebAddress } from '~/shared/lib/urls.ts';
import { useManageBilling } from './api/billing-mutations.ts';

interface ManageTab {
  open: () => void;
  isPending: boolean;
  /** The address of the page, if the browser did not let it be opened. */
  blocked: string | null;
}

export function useManageTab(accountId: string): ManageTab {
  const manage = useManageBilling();
  const [blocked, setBlocked] = useState<string | null>(null);
  const open = () => {
    if (manage.isPending) return;
    setBlocked(null);
    // Open the tab synchronously in the click handler, or the popup blocker stops it.
    const tab = window.open('', '_blank');
    manage.mutate(accountId, {
      onSuccess: ({ url }) => {
        if (!isWebAddress(url)) return tab?.close();
        if (tab === null) setBlocked(url);
        else tab.location.replace(url);
      },
      onError: () => tab?.close(),
    });
  };
  return { open, isPending: manage.isPending, blocked };
}
