/** Provider sign-in for a screen: one popup at a time, closed on unmount. */

import { openPopup, type Popup, type Provider } from '@vitrine/api/popup';
import { useEffect, useState } from 'react';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { useRedeemPopup } from './api/session-mutations.ts';
import type { LinkAction } from './model.ts';
import { sessionTexts } from './texts.ts';

/** The toast for each page and provider; the product specification fixes their differences. */
const failures: Record<LinkAction, Record<Provider, string>> = {
  login: { google: sessionTexts.googleSignInFailed, apple: sessionTexts.appleSignInFailed },
  signup: { google: sessionTexts.googleSignUpFailed, apple: sessionTexts.appleSignUpFailed },
};

interface ProviderSignIn {
  /** Opens or focuses the popup; call it synchronously in the click handler. */
  start: (provider: Provider) => void;
  /** The provider whose popup is open. */
  waitingFor: Provider | null;
  /** The provider whose sign-in is being completed. */
  completing: Provider | null;
}

export function useProviderSignIn(action: LinkAction): ProviderSignIn {
  const failed = failures[action];
  const redeem = useRedeemPopup(failed);
  const [waitingFor, setWaitingFor] = useState<Provider | null>(null);
  // Keep listening to earlier popups: one presumed closed may still send its message.
  const [popups] = useState<Popup[]>([]);
  useEffect(() => () => stopAll(popups), [popups]);

  const start = (provider: Provider) => {
    if (redeem.isPending) return;
    const last = popups.at(-1);
    if (last?.provider === provider && last.focus()) return;
    if (last !== undefined && last.provider !== provider) stopAll(popups);
    const popup = tryToOpen(provider, {
      onProof: (proof) => {
        stopAll(popups);
        setWaitingFor(null);
        redeem.mutate({ provider, ...proof });
      },
      onFailure: () => {
        // Ignore failures of a popup that was replaced by another.
        if (popups.at(-1) !== popup) return;
        setWaitingFor(null);
        toastFailure(failed[provider]);
      },
    });
    if (popup === undefined) return toastFailure(failed[provider]);
    if (popup === null) return toastFailure(sessionTexts.popupBlocked);
    popups.push(popup);
    setWaitingFor(provider);
  };
  return { start, waitingFor, completing: redeem.isPending ? redeem.variables.provider : null };
}

/** Returns undefined and logs the error if this browser does not support popup sign-in. */
function tryToOpen(...wanted: Parameters<typeof openPopup>): Popup | null | undefined {
  try {
    return openPopup(...wanted);
  } catch (error) {
    console.error(error);
    return undefined;
  }
}

function stopAll(popups: Popup[]): void {
  for (const popup of popups.splice(0)) popup.stop();
}
