/** The current item: player, title and link to the next item. */
import { Link } from '@tanstack/react-router';
import type { ContentOut, JoinedOrganisationOut } from '@vitrine/api';
import { imageOfWindow } from '@vitrine/brand/image-sizes';
import { Player, processedProps } from '@vitrine/player';
import { useState } from 'react';
import { reportInteraction } from '~/features/watch/interactions.ts';
import { useTracker } from '~/features/watch/use-tracker.ts';
import { buttonClass } from '~/shared/ui/button.tsx';
import { Icon } from '~/shared/ui/icon.tsx';
import { describe } from './model.ts';
import { renewAddress } from './queries.ts';
import classes from './stage.module.css';
import { PLAYLISTS } from './texts.ts';

interface StageProps {
  organisation: JoinedOrganisationOut;
  playlistId: string;
  item: ContentOut;
  next: ContentOut | undefined;
  /** The playback URL has expired; refetch the list. */
  onStale: () => void;
}

/** Mount with a `key` per item. */
export function Stage({ organisation, playlistId, item, next, onStale }: StageProps) {
  const tracker = useTracker(organisation, item.uid, playlistId);
  const [ended, setEnded] = useState(false);
  const renew = (address: string) =>
    renewAddress(address).catch((error: unknown) => {
      onStale();
      throw error;
    });
  return (
    <section className={classes.stage} aria-label={PLAYLISTS.playing}>
      <Player
        src={item.url}
        kind={item.kind}
        poster={imageOfWindow(item.previewUrl)}
        title={item.title}
        file={item.file}
        onEnded={() => setEnded(true)}
        onDownload={() => reportInteraction(organisation, 'download', { contentId: item.uid, playlistId })}
        {...(tracker === undefined ? {} : { tracker })}
        {...processedProps(item)}
        {...(item.kind === 'embed' ? {} : { renew })}
      />
      <div className={classes.line}>
        <div className={classes.words}>
          <h1>{item.title}</h1>
          <p className={classes.meta}>{describe(item)}</p>
        </div>
        {next === undefined ? null : (
          <Link
            to="/org/$orgId/playlists/$playlistId"
            params={{ orgId: organisation.uid, playlistId }}
            search={{ item: next.uid }}
            replace
            className={buttonClass(ended ? 'primary' : 'plain')}
            title={next.title}
          >
            {PLAYLISTS.next}
            <Icon name="next" size={18} />
          </Link>
        )}
      </div>
      {item.description === '' ? null : <p className={classes.description}>{item.description}</p>}
    </section>
  );
}
