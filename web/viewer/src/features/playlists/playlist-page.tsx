/** A playlist: the current item in the player, and the list of all items. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ContentOut, type PlaylistOut, statusOf } from '@vitrine/api';
import { Icon } from '@vitrine/brand/icon';
import { useState } from 'react';
import { useOrganisation } from '~/features/organisations/current.ts';
import { progressQuery, useLastVisit, useNewItemsBadge, useProgress } from '~/features/watch/progress.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { buttonClass } from '~/shared/ui/button.tsx';
import { FailedState, Loading, Skeleton, State } from '~/shared/ui/states.tsx';
import { ContactButton } from './contact-button.tsx';
import { ItemList } from './item-list.tsx';
import { pick, startOf } from './model.ts';
import { isPaused, Paused } from './paused.tsx';
import classes from './playlist-page.module.css';
import { itemsQuery, playlistQuery } from './queries.ts';
import { Stage } from './stage.tsx';
import { PLAYLISTS } from './texts.ts';

const route = getRouteApi('/org/$orgId/playlists/$playlistId');

/** /app/org/{orgId}/playlists/{playlistId}?item= */
export function PlaylistPage() {
  const { playlistId, orgId } = route.useParams();
  const playlist = useQuery(playlistQuery(playlistId));
  const items = useQuery(itemsQuery(playlistId));
  // Where to resume; the item must not start before it is known.
  const progress = useQuery(progressQuery(orgId));
  useTitle(playlist.data?.title);
  useLastVisit(orgId);
  const organisation = useOrganisation();
  if (isPaused(organisation)) return <Paused name={organisation.name} />;
  // A failed refetch keeps the loaded data on screen.
  const failed = [playlist, items].find(({ data, error }) => data === undefined && error !== null);
  if (failed !== undefined) {
    return statusOf(failed.error) === 404 ? (
      <State icon="alert" title={PLAYLISTS.goneTitle} text={PLAYLISTS.goneText}>
        <HomeLink orgId={orgId} />
      </State>
    ) : (
      <FailedState error={failed.error} onRetry={() => void failed.refetch()} />
    );
  }
  if (playlist.data === undefined || items.data === undefined || progress.isLoading) return <Waiting />;
  return <Loaded playlist={playlist.data} items={items.data} onStale={() => void items.refetch()} />;
}

/** The item that a person or the end of the one before has started, and how often from its beginning. */
interface Started {
  item: string;
  over: number;
}

function Loaded(props: { playlist: PlaylistOut; items: readonly ContentOut[]; onStale: () => void }) {
  const { playlist, items, onStale } = props;
  const { item, t } = route.useSearch();
  const organisation = useOrganisation();
  const progress = useProgress(organisation.uid);
  useNewItemsBadge(organisation.uid);
  const navigate = useNavigate();
  const [started, setStarted] = useState<Started | null>(null);
  const { current, next, previous, at } = pick(items, item);
  const play = (to: ContentOut) => {
    setStarted({ item: to.uid, over: 0 });
    const params = { orgId: organisation.uid, playlistId: playlist.uid };
    const search = { item: to.uid };
    // The next item may start while the list is scrolled.
    void navigate({ to: '/org/$orgId/playlists/$playlistId', params, search, replace: true, resetScroll: false });
  };
  const here = started?.item === current?.uid ? started : null;
  const over = here?.over ?? 0;
  const resumeAt = (uid: string) => progress.get(uid)?.position ?? 0;
  return (
    <div className={classes.page}>
      <nav className={classes.trail} aria-label={PLAYLISTS.breadcrumb}>
        <Link to="/org/$orgId" params={{ orgId: organisation.uid }} activeOptions={{ exact: true }}>
          <Icon name="back" size={16} />
          {PLAYLISTS.home}
        </Link>
      </nav>
      {current === undefined ? (
        <State icon="play" title={PLAYLISTS.noItemsTitle(playlist.title)} text={PLAYLISTS.noItemsText}>
          <HomeLink orgId={organisation.uid} />
        </State>
      ) : (
        <>
          {item === undefined || current.uid === item ? null : <ItemGone />}
          <div className={classes.columns}>
            <Stage
              key={`${current.uid} ${t ?? ''} ${over}`}
              organisation={organisation}
              playlistId={playlist.uid}
              item={current}
              next={next}
              previous={previous}
              queue={items.slice(at + 1)}
              resumeAt={resumeAt}
              length={progress.get(current.uid)?.length}
              startAt={over > 0 ? 0 : (startOf(t) ?? resumeAt(current.uid))}
              fresh={over > 0 || startOf(t) !== undefined}
              autoPlay={here !== null}
              onPlay={play}
              onStartOver={() => setStarted({ item: current.uid, over: over + 1 })}
              onStale={onStale}
            />
            <aside className={classes.side} aria-label={PLAYLISTS.items}>
              <h2>{playlist.title}</h2>
              {playlist.description === '' ? null : <p className={classes.description}>{playlist.description}</p>}
              <ContactButton organisation={organisation} playlist={playlist} />
              <ItemList orgId={organisation.uid} playlistId={playlist.uid} items={items} at={at} progress={progress} />
            </aside>
          </div>
        </>
      )}
    </div>
  );
}

/** A link to an item that has been removed opens its playlist. */
function ItemGone() {
  return (
    <p className={classes.gone} role="status">
      <Icon name="alert" size={18} />
      {PLAYLISTS.itemGone}
    </p>
  );
}

function HomeLink({ orgId }: { orgId: string }) {
  return (
    <Link to="/org/$orgId" params={{ orgId }} className={buttonClass()}>
      {PLAYLISTS.toHome}
    </Link>
  );
}

function Waiting() {
  return (
    <Loading label={PLAYLISTS.loadingPlaylist}>
      <div className={classes.columns}>
        <div className={classes.still} />
        <div className={classes.side}>
          <Skeleton height="24px" width="60%" />
          <Skeleton height="72px" />
          <Skeleton height="72px" />
          <Skeleton height="72px" />
        </div>
      </div>
    </Loading>
  );
}
