/** Which policy opens which organisation screen. Kept apart from the menu's table: the two differ on purpose (C-01, C-02). */
import { type Policy, policies } from '~/features/orgs/roles.ts';

/** Policy of each route below /org/{orgId}. */
export const routePolicies = {
  '/home': policies.analytics,
  '/users': policies.usersList,
  '/playlists': policies.playlistList,
  '/playlists/$playlistId': policies.playlistList,
  '/analytics': policies.analytics,
  '/profile': policies.organisationUpdate,
  '/leads': policies.analytics,
} as const satisfies Record<string, Policy>;

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The policy a role must carry to see the route; the 404 page shows otherwise. */
    policy?: Policy;
  }
}
