/** Signing in with Google or Apple: one window at a time, closed when the screen goes away. */
import type { ProfileOut } from '@vitrine/api';
import { codeOf } from '@vitrine/api';
import { openPopup, type Popup, type PopupHandlers, type Provider } from '@vitrine/api/popup';
import { useEffect, useState } from 'react';
import { errorText } from '~/shared/language.ts';
import { showToast } from '~/shared/ui/toasts.ts';
import { useRedeemPopup } from './calls.ts';
import { SIGN_IN } from './texts.ts';

interface ProviderSignIn {
  /** Opens or focuses the window; call it synchronously in the click handler. */
  start: (provider: Provider) => void;
  /** The provider whose window is open. */
  waitingFor: Provider | null;
  busy: boolean;
}

const failed = (provider: Provider) => (provider === 'google' ? SIGN_IN.googleFailed : SIGN_IN.appleFailed);

export function useProviderSignIn(onSignedIn: (profile: ProfileOut) => void): ProviderSignIn {
  const redeem = useRedeemPopup();
  const [waitingFor, setWaitingFor] = useState<Provider | null>(null);
  // Keep listening to earlier windows: one that looks closed may still send its message.
  const [popups] = useState<Popup[]>([]);
  useEffect(() => () => stopAll(popups), [popups]);

  const start = (provider: Provider) => {
    const last = popups.at(-1);
    if (redeem.isPending || (last?.provider === provider && last.focus())) return;
    if (last !== undefined && last.provider !== provider) stopAll(popups);
    const popup = tryToOpen(provider, {
      onProof: (proof) => {
        stopAll(popups);
        setWaitingFor(null);
        redeem
          .mutateAsync(proof)
          .then(onSignedIn, (error: unknown) =>
            showToast('failure', codeOf(error) === 'email_unverified' ? errorText(error) : failed(provider)),
          );
      },
      onFailure: () => {
        // The failure of a window that was replaced by another does not matter.
        if (popups.at(-1) !== popup) return;
        setWaitingFor(null);
        showToast('failure', failed(provider));
      },
    });
    if (popup === undefined) return showToast('failure', failed(provider));
    if (popup === null) return showToast('failure', SIGN_IN.popupBlocked);
    popups.push(popup);
    setWaitingFor(provider);
  };
  return { start, waitingFor, busy: redeem.isPending };
}

/** Returns undefined if this browser cannot sign in by a window. */
function tryToOpen(provider: Provider, handlers: PopupHandlers): Popup | null | undefined {
  try {
    return openPopup(provider, handlers);
  } catch {
    return undefined;
  }
}

function stopAll(popups: Popup[]): void {
  for (const popup of popups.splice(0)) popup.stop();
}
