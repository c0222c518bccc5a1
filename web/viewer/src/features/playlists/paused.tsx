/** Shown in place of everything to watch while the organisation's plan is suspended. */
import type { JoinedOrganisationOut } from '@vitrine/api';
import { isFollowed } from '~/features/organisations/model.ts';
import { State } from '~/shared/ui/states.tsx';
import { PLAYLISTS } from './texts.ts';

/** Returns whether there is nothing to watch for the person. Staff still see what they manage. */
export function isPaused(organisation: Pick<JoinedOrganisationOut, 'suspended' | 'role'>): boolean {
  return organisation.suspended && isFollowed(organisation);
}

/** Why is the business of the organisation; app users learn what it means for them. */
export function Paused({ name }: { name: string }) {
  return <State icon="pause" title={PLAYLISTS.pausedTitle(name)} text={PLAYLISTS.pausedText} />;
}
