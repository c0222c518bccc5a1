/** The provider's window seen from a screen: one at a time, and none left behind. */
import { useEffect, useState } from 'react';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { useRedeemPopup } from './api/session-mutations.ts';
import type { LinkAction } from './model.ts';
import { openPopup, type Popup, type Provider } from './popup.ts';
import { sessionTexts } from './texts.ts';

/** The four given toasts, by page and provider (C-40). */
const failures: Record<LinkAction, Record<Provider, string>> = {
  login: { google: sessionTexts.googleSignInFailed, apple: sessionTexts.appleSignInFailed },
  signup: { google: sessionTexts.googleSignUpFailed, apple: sessionTexts.appleSignUpFailed },
};

interface ProviderSignIn {
  /** Opens the window, or brings it forward; call it in the click itself. */
  start: (provider: Provider) => void;
  /** Whose window is open. */
  waitingFor: Provider | null;
  /** Whose answer is being completed. */
  completing: Provider | null;
}

export function useProviderSignIn(action: LinkAction): ProviderSignIn {
  const failed = failures[action];
  const redeem = useRedeemPopup(failed);
  const [waitingFor, setWaitingFor] = useState<Provider | null>(null);
  // Older windows stay heard until the end: one that was given up for closed may still bring its word.
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
        // A window that was followed by another has nothing to say any more.
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

/** Undefined, and a line in the log, where this browser cannot sign in this way. */
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
