/** What can be played after an item without opening its page. */
import type { ContentOut, JoinedOrganisationOut } from '@vitrine/api';
import { imageOfWindow } from '@vitrine/brand/image-sizes';
import { type PlaybackPosition, type PlayerProps, processedProps } from '@vitrine/player';
import type { Upcoming } from '~/features/watch/kept-player.ts';
import { trackerOf } from '~/features/watch/use-tracker.ts';
import { renewAddress } from './queries.ts';

/** Where the queue is played. */
interface Queue {
  organisation: JoinedOrganisationOut;
  playlistId: string;
  places: (contentId: string, playlistId: string, place: PlaybackPosition) => void;
  resumeAt: (uid: string) => number;
}

/** Returns the player's props that follow from the item alone. */
export function itemProps(item: ContentOut): PlayerProps {
  return {
    src: item.url,
    kind: item.kind,
    poster: imageOfWindow(item.previewUrl),
    title: item.title,
    file: item.file,
    downloadable: item.downloadable,
    ...processedProps(item),
  };
}

/** Returns the first video or audio of the items; what is read needs its page. */
export function upcomingOf(queue: Queue, items: readonly ContentOut[]): Upcoming | undefined {
  const at = items.findIndex(({ kind }) => kind === 'video' || kind === 'audio');
  const item = items[at];
  if (item === undefined) return undefined;
  const { organisation, playlistId, places, resumeAt } = queue;
  return {
    title: item.title,
    begin: () => {
      const props: PlayerProps = {
        ...itemProps(item),
        startAt: resumeAt(item.uid),
        autoPlay: true,
        session: { artist: organisation.name },
        onPlace: (place) => places(item.uid, playlistId, place),
        renew: renewAddress,
        tracker: trackerOf(organisation, item.uid, playlistId),
      };
      const next = upcomingOf(queue, items.slice(at + 1));
      return { orgId: organisation.uid, playlistId, itemId: item.uid, props, next };
    },
  };
}
