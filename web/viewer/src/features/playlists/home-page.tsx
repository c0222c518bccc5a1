/** Home of an organisation: the first pin, what to continue, what is new, then pinned and all other playlists. */
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import type { PlaylistOut, ProgressOut } from '@vitrine/api';
import { HomeIntro } from '@vitrine/brand/app-bar';
import { EmptyHome } from '@vitrine/brand/empty-home';
import { HomeSection } from '@vitrine/brand/home-section';
import { Icon } from '@vitrine/brand/icon';
import { useEffect, useRef, useState } from 'react';
import { useOrganisation } from '~/features/organisations/current.ts';
import { useVisit } from '~/features/watch/interactions.ts';
import {
  type ProgressByItem,
  progressQuery,
  useLastVisit,
  useNewItemsSeen,
  useProgress,
} from '~/features/watch/progress.ts';
import { errorText } from '~/shared/language.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button } from '~/shared/ui/button.tsx';
import { FailedState } from '~/shared/ui/states.tsx';
import { Hero } from './hero.tsx';
import classes from './home-page.module.css';
import { HomeSkeleton } from './home-skeleton.tsx';
import { ItemCards } from './item-card.tsx';
import { withoutPinned } from './model.ts';
import { isPaused, Paused } from './paused.tsx';
import { PlaylistGrid, PlaylistGridSkeleton } from './playlist-card.tsx';
import { playlistQuery, playlistsQuery } from './queries.ts';
import { PLAYLISTS } from './texts.ts';

/** /app/org/{orgId} */
export function HomePage() {
  const organisation = useOrganisation();
  useTitle(organisation.name);
  useVisit(organisation);
  useLastVisit(organisation.uid);
  useNewItemsSeen(organisation.uid);
  const list = useInfiniteQuery(playlistsQuery(organisation.uid));
  const progress = useQuery(progressQuery(organisation.uid));
  const places = useProgress(organisation.uid);
  const pinned = useQueries({ queries: organisation.pinnedPlaylists.map(playlistQuery) });
  // The rows above the playlists come with the progress; shown later, they would push everything down.
  const ready = list.data !== undefined && !progress.isLoading && !pinned.some(({ isLoading }) => isLoading);
  // What is shown stays while a part of it is loaded again.
  const [shown, setShown] = useState<string | null>(null);
  if (ready && shown !== organisation.uid) setShown(organisation.uid);

  if (isPaused(organisation)) return <Paused name={organisation.name} />;
  if (list.data === undefined && list.error !== null) {
    return <FailedState error={list.error} onRetry={() => void list.refetch()} />;
  }
  if (list.data === undefined || !(ready || shown === organisation.uid)) {
    return <HomeSkeleton hero={organisation.pinnedPlaylists.length > 0} />;
  }

  // A playlist that was made unlisted stays pinned, but its link is the only way in.
  const first = pinned.flatMap(({ data }) => (data?.privacy === 'public' ? [data] : []));
  const rest = withoutPinned(
    list.data.pages,
    first.map(({ uid }) => uid),
  );
  if (first.length + rest.length === 0) {
    return (
      <EmptyHome texts={PLAYLISTS} icon={<Icon name="play" size={32} />}>
        <Button busy={list.isFetching} onClick={() => void list.refetch()}>
          {PLAYLISTS.refresh}
        </Button>
      </EmptyHome>
    );
  }
  const [hero, ...pins] = first;
  return (
    <>
      {hero === undefined ? null : <Hero playlist={hero} progress={places} />}
      <HomeIntro name={organisation.name} description={organisation.description} />
      {progress.data === undefined ? null : <Rails orgId={organisation.uid} progress={progress.data} places={places} />}
      <Playlists title={PLAYLISTS.pinned} playlists={pins} places={places} />
      <Playlists title={PLAYLISTS.all} playlists={rest} places={places} />
      <More list={list} />
    </>
  );
}

interface RailsProps {
  orgId: string;
  progress: ProgressOut;
  places: ProgressByItem;
}

/** What to continue, and what is new. */
function Rails({ orgId, progress, places }: RailsProps) {
  const { continueWatching, newItems } = progress;
  return (
    <>
      {continueWatching.length === 0 ? null : (
        <HomeSection title={PLAYLISTS.continueWatching}>
          <ItemCards orgId={orgId} items={continueWatching} progress={places} />
        </HomeSection>
      )}
      {newItems.length === 0 ? null : (
        <HomeSection title={PLAYLISTS.newItems}>
          <ItemCards orgId={orgId} items={newItems} progress={places} />
        </HomeSection>
      )}
    </>
  );
}

interface PlaylistsProps {
  title: string;
  playlists: readonly PlaylistOut[];
  places: ProgressByItem;
}

function Playlists({ title, playlists, places }: PlaylistsProps) {
  if (playlists.length === 0) return null;
  return (
    <HomeSection title={title}>
      <PlaylistGrid playlists={playlists} progress={places} />
    </HomeSection>
  );
}

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: Error | null;
  fetchNextPage: () => Promise<unknown>;
}

/** Loads the next page when the end of the list becomes visible. */
function More({ list }: { list: Pages }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const end = useRef<HTMLDivElement>(null);
  const waiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (end.current === null || !waiting) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void fetchNextPage();
      },
      { rootMargin: '400px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [waiting, fetchNextPage]);
  return (
    <div ref={end} className={classes.more}>
      {isFetchingNextPage ? <PlaylistGridSkeleton count={3} /> : null}
      {isFetchNextPageError ? (
        <div role="alert" className={classes.failed}>
          <p>{list.error === null ? PLAYLISTS.moreFailed : `${PLAYLISTS.moreFailed} ${errorText(list.error)}`}</p>
          <Button onClick={() => void fetchNextPage()}>{PLAYLISTS.tryAgain}</Button>
        </div>
      ) : null}
    </div>
  );
}
