import { expect, it, vi } from 'vitest';

/** Loads the page and opens what lies over its screen; `state` is what the browser has kept of the entry. */
async function load(state = {}) {
  vi.resetModules();
  const { act, renderHook, waitFor } = await import('@testing-library/react');
  const router = await import('@tanstack/react-router');
  const { useBackCloses } = await import('./back-closes.ts');
  const history = router.createMemoryHistory({ initialEntries: ['/'] });
  history.replace('/', state);
  const routes = router.createRouter({ routeTree: router.createRootRoute(), history });
  await routes.load();
  const close = vi.fn();
  const { unmount } = renderHook(() => useBackCloses(true, close), {
    wrapper: ({ children }) => <router.RouterContextProvider router={routes}>{children}</router.RouterContextProvider>,
  });
  await waitFor(() => expect(history.length).toBe(2));
  expect(close).not.toHaveBeenCalled();
  return { history, close, unmount, act };
}

it('closes what lies over a screen, also if the page was reloaded while something did', async () => {
  const before = await load();
  const kept = { ...before.history.location.state };
  before.unmount();
  const { history, close, unmount, act } = await load(kept);
  act(() => history.back());
  expect(close).toHaveBeenCalledOnce();
  unmount();
});
