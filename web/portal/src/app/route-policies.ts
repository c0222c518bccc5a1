/** The policy each organisation screen requires. Separate from the menu's table: the two differ on purpose. */
import { type Policy, policies } from '~/features/orgs/roles.ts';

/** Policy of each route below /org/{orgId}. */
export const routePolicies = {
  '/home': policies.analytics,
  '/users': policies.usersList,
  '/playlists': policies.playlistList,
  '/playlists/$playlistId': policies.playlistList,
  '/analytics': policies.analytics,
  '/analytics/content/$contentId': policies.analytics,
  '/analytics/playlists/$playlistId': policies.analytics,
  '/profile': policies.organisationUpdate,
  '/leads': policies.analytics,
  '/audit': policies.organisationUpdate,
} as const satisfies Record<string, Policy>;

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The policy a role needs to see the route; without it, the 404 page is shown. */
    policy?: Policy;
  }
}
