/** Prepares the requested screen before the first render, so that it is rendered once and with its data. */
import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';

/** Longest delay of the first render, in milliseconds. What is missing then arrives while the application is shown. */
const LONGEST_WAIT = 1000;

/**
 * Resolves once the screen's code has loaded, and the queries that the page's first script has sent are answered; or once it
 * takes too long. The router does not load the screen again when it is mounted, not even if this has not ended by then.
 */
export async function prepareFirstRender(router: AnyRouter, client: QueryClient): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_WAIT));
  const prepare = async () => {
    await router.load();
    if (window.vitrineStarted !== undefined) await answered(client);
  };
  // Drops early responses that the screen has not used: they would be out of date later.
  const ready = prepare().finally(() => delete window.vitrineStarted);
  // If preparing fails, the screen itself says why.
  await Promise.race([late, ready]).catch(() => undefined);
}

function answered(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (client.isFetching() > 0) return;
      stop();
      resolve();
    };
    const stop = client.getQueryCache().subscribe(check);
    check();
  });
}
