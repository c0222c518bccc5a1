/** The current item: player, title, and what can be done with it. */
import { Link } from '@tanstack/react-router';
import type { ContentOut, JoinedOrganisationOut } from '@vitrine/api';
import { Icon } from '@vitrine/brand/icon';
import {
  downloadAddress,
  type PlaybackPosition,
  Player,
  type PlayerControls,
  type PlayerProps,
  parseEmbed,
  takePlayerTexts,
} from '@vitrine/player';
import { type RefObject, useRef, useState } from 'react';
import { reportInteraction } from '~/features/watch/interactions.ts';
import { wouldContinue } from '~/features/watch/kept-player.ts';
import { PlayerPlace } from '~/features/watch/player-place.tsx';
import { usePlaces } from '~/features/watch/progress.ts';
import { useTracker } from '~/features/watch/use-tracker.ts';
import { textsOf } from '~/shared/language.ts';
import { Button, buttonClass } from '~/shared/ui/button.tsx';
import { chaptersOf } from './chapters.ts';
import { clock, describe } from './model.ts';
import { renewAddress } from './queries.ts';
import { itemProps, upcomingOf } from './queue.ts';
import { ShareDialog } from './share-dialog.tsx';
import classes from './stage.module.css';
import { PLAYLISTS } from './texts.ts';
import { UpNext } from './up-next.tsx';

takePlayerTexts(textsOf('player'));

interface StageProps {
  organisation: JoinedOrganisationOut;
  playlistId: string;
  item: ContentOut;
  next: ContentOut | undefined;
  previous: ContentOut | undefined;
  /** The items after this one. */
  queue: readonly ContentOut[];
  /** Returns where an item is resumed. */
  resumeAt: (uid: string) => number;
  /** How long the item is, as the person's player found out. */
  length: number | null | undefined;
  /** Where to start: media milliseconds, or the page of a document; 0 for the beginning. */
  startAt: number;
  /** Starts there whatever plays: the position is from a link, or the beginning was asked for. */
  fresh: boolean;
  autoPlay: boolean;
  /** Opens an item and plays it. */
  onPlay: (item: ContentOut) => void;
  onStartOver: () => void;
  /** The playback URL has expired; refetch the list. */
  onStale: () => void;
}

/** Mount with a `key` per item. */
export function Stage(props: StageProps) {
  const { organisation, playlistId, item, next, fresh } = props;
  // The position is saved while playing, which must not move the start.
  const [startAt] = useState(props.startAt);
  const where = { orgId: organisation.uid, playlistId, itemId: item.uid };
  const [continued] = useState(() => !fresh && wouldContinue(where));
  const [ended, setEnded] = useState(false);
  const [shared, setShared] = useState<number | null>(null);
  const controls = useRef<PlayerControls>(null);
  return (
    <section className={classes.stage} aria-label={PLAYLISTS.playing} data-kind={item.kind}>
      {isRead(item) ? <Title {...props} /> : null}
      <div className={classes.player}>
        <StagePlayer {...props} startAt={startAt} controls={controls} onEnded={() => setEnded(true)} />
        {ended && next !== undefined ? (
          <UpNext next={next} onPlay={() => props.onPlay(next)} onCancel={() => setEnded(false)} />
        ) : null}
      </div>
      <div className={classes.about}>
        {isRead(item) ? null : <Title {...props} />}
        {startAt > 0 && !fresh && !continued ? (
          <Resumed
            item={item}
            at={startAt}
            // A frame that plays is not replaced by its poster.
            onStartOver={item.kind === 'embed' ? () => controls.current?.playFrom(0) : props.onStartOver}
          />
        ) : null}
        <div className={classes.actions}>
          {next === undefined ? null : (
            <Link
              to="/org/$orgId/playlists/$playlistId"
              params={{ orgId: organisation.uid, playlistId }}
              search={{ item: next.uid }}
              replace
              className={buttonClass()}
              title={next.title}
            >
              {PLAYLISTS.next}
              <Icon name="next" size={18} />
            </Link>
          )}
          {hasDownloadButton(item) ? <Download {...props} /> : null}
          <Button onClick={() => setShared(controls.current?.position() ?? 0)}>
            <Icon name="share" size={18} />
            {PLAYLISTS.share}
          </Button>
        </div>
        <Description
          text={item.description}
          // Only these can be played from a place.
          onChapter={isPlayed(item) ? (atMs) => controls.current?.playFrom(atMs) : undefined}
        />
      </div>
      {shared === null ? null : (
        <ShareDialog
          link={linkTo(organisation.uid, playlistId, item.uid)}
          title={item.title}
          positionMs={shared}
          onClose={() => setShared(null)}
        />
      )}
    </section>
  );
}

/** A document fills the screen: its title is above it, not out of sight below. */
const isPlayed = ({ kind, url }: ContentOut) =>
  kind === 'video' || kind === 'audio' || (kind === 'embed' && parseEmbed(url) !== null);
const isRead = ({ kind }: ContentOut) => kind === 'pdf';

function Title({ item, length }: Pick<StageProps, 'item' | 'length'>) {
  return (
    <div className={classes.title}>
      <h1>{item.title}</h1>
      <p className={classes.meta}>{describe(item, length)}</p>
    </div>
  );
}

/** Documents and other files have a button in the player. */
const hasDownloadButton = ({ downloadable, kind }: ContentOut) =>
  downloadable === true && (kind === 'video' || kind === 'audio' || kind === 'image');

function Download({ organisation, playlistId, item }: StageProps) {
  return (
    <a
      className={buttonClass()}
      href={downloadAddress(item.url)}
      download={item.file?.name ?? ''}
      onClick={() => reportInteraction(organisation, 'download', { contentId: item.uid, playlistId })}
    >
      <Icon name="download" size={18} />
      {PLAYLISTS.download}
    </a>
  );
}

type StagePlayerProps = StageProps & { controls: RefObject<PlayerControls | null>; onEnded: () => void };

function StagePlayer(props: StagePlayerProps) {
  const { organisation, playlistId, item, next, previous, onPlay, onStale } = props;
  const tracker = useTracker(organisation, item.uid, playlistId);
  const places = usePlaces(organisation.uid);
  const save = (place: PlaybackPosition) => places(item.uid, playlistId, place);
  const seen: PlaybackPosition = { position: 1, length: 1, settled: true };
  const renew = (address: string) =>
    renewAddress(address).catch((error: unknown) => {
      onStale();
      throw error;
    });
  const downloaded = () => {
    reportInteraction(organisation, 'download', { contentId: item.uid, playlistId });
    if (item.kind === 'file') save(seen);
  };
  const player: PlayerProps = {
    ...itemProps(item),
    startAt: props.startAt,
    autoPlay: props.autoPlay,
    controls: props.controls,
    session: {
      artist: organisation.name,
      onNext: next && (() => onPlay(next)),
      onPrevious: previous && (() => onPlay(previous)),
    },
    onPlace: save,
    onEnded: props.onEnded,
    onDownload: downloaded,
    tracker,
    ...(item.kind === 'embed' ? {} : { renew }),
  };
  if (item.kind !== 'video' && item.kind !== 'audio') return <Player {...player} />;
  const upcoming = upcomingOf({ organisation, playlistId, places, resumeAt: props.resumeAt }, props.queue);
  const played = { orgId: organisation.uid, playlistId, itemId: item.uid, props: player, next: upcoming };
  return <PlayerPlace played={played} fresh={props.fresh} />;
}

function Resumed({ item, at, onStartOver }: { item: ContentOut; at: number; onStartOver: () => void }) {
  return (
    <p className={classes.resumed}>
      {item.kind === 'pdf' ? PLAYLISTS.resumedPage(at) : PLAYLISTS.resumed(clock(at))}
      <Button tone="quiet" onClick={onStartOver}>
        {PLAYLISTS.startOver}
      </Button>
    </p>
  );
}

interface DescriptionProps {
  text: string;
  onChapter: ((atMs: number) => void) | undefined;
}

/** Without a player that can jump, time stamps stay part of the text. */
function Description({ text: description, onChapter }: DescriptionProps) {
  const { chapters, text } = onChapter === undefined ? { chapters: [], text: description } : chaptersOf(description);
  return (
    <>
      {text === '' ? null : <p className={classes.description}>{text}</p>}
      {chapters.length === 0 ? null : (
        <nav aria-label={PLAYLISTS.chapters} className={classes.chapters}>
          <h2>{PLAYLISTS.chapters}</h2>
          <ol>
            {chapters.map(({ atMs, title }) => (
              <li key={atMs}>
                <button type="button" onClick={() => onChapter?.(atMs)}>
                  <span>{clock(atMs)}</span>
                  {title}
                </button>
              </li>
            ))}
          </ol>
        </nav>
      )}
    </>
  );
}

function linkTo(orgId: string, playlistId: string, item: string): string {
  return `${window.location.origin}/app/org/${orgId}/playlists/${playlistId}?item=${item}`;
}
