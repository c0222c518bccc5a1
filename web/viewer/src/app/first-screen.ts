/** Loads the first screen together with the app, instead of after it. */

/** The files of the screens that people open the app at. */
const screens = {
  home: () => import('~/features/playlists/home-page.tsx'),
  playlist: () =>
    Promise.all([import('~/features/playlists/playlist-page.tsx'), import('~/features/watch/mini-player.tsx')]),
};

/** Returns the screen at a path; null for any other path. */
export function firstScreen(pathname: string): keyof typeof screens | null {
  const [, place] = /^\/app\/org\/[^/]+(?:\/(playlists)\/[^/]+)?\/?$/.exec(pathname) ?? [null, null];
  if (place === null) return pathname === '/app/' || pathname === '/app' ? 'home' : null;
  return place === 'playlists' ? 'playlist' : 'home';
}

/** Begins to load the screen at a path; the router shows what fails. */
export function preloadScreen(pathname: string): void {
  const screen = firstScreen(pathname);
  if (screen !== null) screens[screen]().catch(() => undefined);
}
