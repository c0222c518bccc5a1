/** Home of an organisation: pinned playlists first, then all others. */
import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { messageOf } from '@vitrine/api';
import { HomeIntro } from '@vitrine/brand/app-bar';
import { EmptyHome } from '@vitrine/brand/empty-home';
import { useEffect, useRef } from 'react';
import { useOrganisation } from '~/features/organisations/current.ts';
import { useVisit } from '~/features/watch/interactions.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button } from '~/shared/ui/button.tsx';
import { Icon } from '~/shared/ui/icon.tsx';
import { FailedState } from '~/shared/ui/states.tsx';
import classes from './home-page.module.css';
import { withoutPinned } from './model.ts';
import { PlaylistGrid, PlaylistGridSkeleton } from './playlist-card.tsx';
import { playlistQuery, playlistsQuery } from './queries.ts';
import { PLAYLISTS } from './texts.ts';

/** /app/org/{orgId} */
export function HomePage() {
  const organisation = useOrganisation();
  useTitle(organisation.name);
  useVisit(organisation);
  const list = useInfiniteQuery(playlistsQuery(organisation.uid));
  const pinned = useQueries({ queries: organisation.pinnedPlaylists.map(playlistQuery) });

  if (list.data === undefined && list.error !== null) {
    return <FailedState error={list.error} onRetry={() => void list.refetch()} />;
  }
  if (list.data === undefined || pinned.some(({ isLoading }) => isLoading)) return <PlaylistGridSkeleton count={6} />;

  // A playlist that was made unlisted stays pinned, but its link is the only way in.
  const first = pinned.flatMap(({ data }) => (data?.privacy === 'public' ? [data] : []));
  const rest = withoutPinned(
    list.data.pages,
    first.map(({ uid }) => uid),
  );
  if (first.length + rest.length === 0) {
    return (
      <EmptyHome icon={<Icon name="play" size={32} />}>
        <Button busy={list.isFetching} onClick={() => void list.refetch()}>
          {PLAYLISTS.refresh}
        </Button>
      </EmptyHome>
    );
  }
  return (
    <>
      <HomeIntro name={organisation.name} description={organisation.description} />
      {first.length === 0 ? null : (
        <section className={classes.section} aria-labelledby="pinned">
          <h2 id="pinned">{PLAYLISTS.pinned}</h2>
          <PlaylistGrid playlists={first} />
        </section>
      )}
      {rest.length === 0 ? null : (
        <section className={classes.section} aria-labelledby="all">
          <h2 id="all">{PLAYLISTS.all}</h2>
          <PlaylistGrid playlists={rest} />
        </section>
      )}
      <More list={list} />
    </>
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
          <p>{list.error === null ? PLAYLISTS.moreFailed : `${PLAYLISTS.moreFailed} ${messageOf(list.error)}`}</p>
          <Button onClick={() => void fetchNextPage()}>{PLAYLISTS.tryAgain}</Button>
        </div>
      ) : null}
    </div>
  );
}
