/** Offers a newer version, which is only activated on request. */
import { useRegisterSW } from 'virtual:pwa-register/react';
import { BrandScope } from '~/features/organisations/brand-scope.tsx';
import { lastBrand } from '~/features/organisations/last-brand.ts';
import { Button } from '~/shared/ui/button.tsx';
import { SHELL } from '../texts.ts';
import classes from './shell.module.css';

/** An installed app stays open for days: it looks for a newer version whenever it comes to the front. */
function watchFor(registration: ServiceWorkerRegistration | undefined): void {
  if (registration === undefined) return;
  document.addEventListener('visibilitychange', () => {
    // Without a connection there is nothing to find.
    if (document.visibilityState === 'visible') registration.update().catch(() => undefined);
  });
}

/** Shown while a newer version is waiting, in the colors of the organization on screen. */
export function UpdatePrompt() {
  const {
    needRefresh: [waiting, setWaiting],
    updateServiceWorker,
  } = useRegisterSW({ onRegisteredSW: (_address, registration) => watchFor(registration) });
  if (!waiting) return null;
  return (
    <BrandScope theme={lastBrand()?.theme}>
      <div className={classes.update} role="status">
        <p>{SHELL.newVersion}</p>
        <Button tone="primary" onClick={() => void updateServiceWorker(true)}>
          {SHELL.update}
        </Button>
        <Button tone="quiet" onClick={() => setWaiting(false)}>
          {SHELL.later}
        </Button>
      </div>
    </BrandScope>
  );
}
