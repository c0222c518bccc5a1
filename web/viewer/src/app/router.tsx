/** Every route of the app, with its guards. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  type RouterHistory,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { preferred } from '~/features/organisations/model.ts';
import { joinQuery, organisationsQuery } from '~/features/organisations/queries.ts';
import { itemsQuery, playlistQuery, playlistsQuery } from '~/features/playlists/queries.ts';
import { profileQuery } from '~/features/profile/queries.ts';
import { loadPlayer } from '~/features/watch/kept-player-host.tsx';
import { progressQuery } from '~/features/watch/progress.ts';
import { rememberPath } from '~/shared/lib/next-path.ts';
import { storage } from '~/shared/lib/storage.ts';
import { session } from '~/shared/session.ts';
import { CrashScreen } from './shell/crash-screen.tsx';
import { NotFound } from './shell/not-found.tsx';
import { OrganisationLayout } from './shell/organisation-layout.tsx';
import { RootLayout } from './shell/root-layout.tsx';

interface RouterContext {
  client: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: RootLayout, notFoundComponent: NotFound });

/** Redirects signed-out people to sign-in and remembers the requested page. */
function requireSession({ location }: { location: { pathname: string; searchStr: string } }): void {
  if (session.token() !== null) return;
  rememberPath(location.pathname + location.searchStr);
  throw redirect({ to: '/sign-in', replace: true });
}

/** Keeps search params as strings, including codes that look like numbers. */
const words = { parseSearch: parseSearchWith((value) => value), stringifySearch: stringifySearchWith(String) };

const optional = <Key extends string>(key: Key, value: unknown): { [K in Key]?: string } => {
  const found = typeof value === 'string' && value !== '' ? { [key]: value } : {};
  return found as { [K in Key]?: string };
};

const join = createRoute({
  getParentRoute: () => root,
  path: '/join/$code',
  loader: ({ context, params }) => void context.client.prefetchQuery(joinQuery(params.code)),
  component: lazyRouteComponent(() => import('~/features/join/join-page.tsx'), 'JoinPage'),
});

const consent = createRoute({
  getParentRoute: () => root,
  path: '/join/$code/consent',
  beforeLoad: ({ params }) => {
    if (session.token() === null) throw redirect({ to: '/sign-in', search: { joinCode: params.code }, replace: true });
  },
  component: lazyRouteComponent(() => import('~/features/join/consent-page.tsx'), 'ConsentPage'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) => optional('joinCode', search.joinCode),
  component: lazyRouteComponent(() => import('~/features/session/sign-in-page.tsx'), 'SignInPage'),
});

const authenticate = createRoute({
  getParentRoute: () => root,
  path: '/authenticate',
  validateSearch: (search: Record<string, unknown>) => ({
    ...optional('code', search.code),
    ...optional('joinCode', search.joinCode),
  }),
  component: lazyRouteComponent(() => import('~/features/session/authenticate-page.tsx'), 'AuthenticatePage'),
});

const details = createRoute({
  getParentRoute: () => root,
  path: '/details',
  validateSearch: (search: Record<string, unknown>) => optional('joinCode', search.joinCode),
  beforeLoad: requireSession,
  loader: ({ context }) => void context.client.prefetchQuery(profileQuery),
  component: lazyRouteComponent(() => import('~/features/profile/details-page.tsx'), 'DetailsPage'),
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: requireSession,
  loader: async ({ context }) => {
    const organisations = await context.client.ensureQueryData(organisationsQuery);
    const organisation = preferred(organisations, storage.get('organisation'));
    if (organisation === undefined) return;
    const { uid: orgId, defaultPlaylist } = organisation;
    throw typeof defaultPlaylist === 'string'
      ? redirect({
          to: '/org/$orgId/playlists/$playlistId',
          params: { orgId, playlistId: defaultPlaylist },
          replace: true,
        })
      : redirect({ to: '/org/$orgId', params: { orgId }, replace: true });
  },
  component: lazyRouteComponent(() => import('~/features/me/none-page.tsx'), 'NonePage'),
});

const organisation = createRoute({
  getParentRoute: () => root,
  path: '/org/$orgId',
  beforeLoad: requireSession,
  loader: ({ context }) => void context.client.prefetchQuery(organisationsQuery),
  component: OrganisationLayout,
});

const home = createRoute({
  getParentRoute: () => organisation,
  path: '/',
  loader: ({ context, params }) => {
    void context.client.prefetchInfiniteQuery(playlistsQuery(params.orgId));
    void context.client.prefetchQuery(progressQuery(params.orgId));
  },
  component: lazyRouteComponent(() => import('~/features/playlists/home-page.tsx'), 'HomePage'),
});

const playlist = createRoute({
  getParentRoute: () => organisation,
  path: '/playlists/$playlistId',
  validateSearch: (search: Record<string, unknown>) => ({
    ...optional('item', search.item),
    ...optional('t', search.t),
  }),
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(playlistQuery(params.playlistId));
    void context.client.prefetchQuery(itemsQuery(params.playlistId));
    void context.client.prefetchQuery(progressQuery(params.orgId));
  },
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import('~/features/playlists/playlist-page.tsx'), loadPlayer()]);
    return page;
  }, 'PlaylistPage'),
});

const search = createRoute({
  getParentRoute: () => organisation,
  path: '/search',
  validateSearch: (search: Record<string, unknown>) => optional('q', search.q),
  component: lazyRouteComponent(() => import('~/features/playlists/search-page.tsx'), 'SearchPage'),
});

const me = createRoute({
  getParentRoute: () => organisation,
  path: '/me',
  component: lazyRouteComponent(() => import('~/features/me/me-page.tsx'), 'MePage'),
});

const myData = createRoute({
  getParentRoute: () => organisation,
  path: '/me/data',
  component: lazyRouteComponent(() => import('~/features/me/my-data-page.tsx'), 'MyDataPage'),
});

const ownData = createRoute({
  getParentRoute: () => root,
  path: '/my-data',
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('~/features/me/my-data-page.tsx'), 'OwnDataPage'),
});

const routeTree = root.addChildren([
  start,
  join,
  consent,
  signIn,
  authenticate,
  details,
  ownData,
  organisation.addChildren([home, playlist, search, me, myData]),
]);

/** Creates the router; tests pass their own history. */
export function createAppRouter(client: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    basepath: '/app',
    ...words,
    context: { client },
    defaultPreload: 'intent',
    defaultErrorComponent: CrashScreen,
    scrollRestoration: true,
    ...(history === undefined ? {} : { history }),
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
