/** Search over playlists and items. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { SearchOut } from '@vitrine/api';
import { HomeSection } from '@vitrine/brand/home-section';
import { useEffect, useId, useRef } from 'react';
import { useOrganisation } from '~/features/organisations/current.ts';
import { type ProgressByItem, useNewItemsBadge, useProgress } from '~/features/watch/progress.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { useSettled } from '~/shared/lib/use-settled.ts';
import { Button } from '~/shared/ui/button.tsx';
import { FailedState, State } from '~/shared/ui/states.tsx';
import { ItemCards } from './item-card.tsx';
import { isPaused, Paused } from './paused.tsx';
import { PlaylistGrid, PlaylistGridSkeleton } from './playlist-card.tsx';
import { searchQuery } from './queries.ts';
import classes from './search-page.module.css';
import { PLAYLISTS } from './texts.ts';

const route = getRouteApi('/org/$orgId/search');

/** /app/org/{orgId}/search?q= */
export function SearchPage() {
  useTitle(PLAYLISTS.search);
  const organisation = useOrganisation();
  // There is nothing to find.
  return isPaused(organisation) ? <Paused name={organisation.name} /> : <Search orgId={organisation.uid} />;
}

function Search({ orgId }: { orgId: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // The screen has one purpose, and its field is its first control.
  useEffect(() => input.current?.focus(), []);
  const { q = '' } = route.useSearch();
  const navigate = useNavigate();
  const change = (text: string) =>
    void navigate({
      to: '/org/$orgId/search',
      params: { orgId },
      search: text === '' ? {} : { q: text },
      replace: true,
      resetScroll: false,
    });
  const clear = () => {
    change('');
    input.current?.focus();
  };
  return (
    <>
      <h1 className="visually-hidden">{PLAYLISTS.search}</h1>
      <search className={classes.field}>
        <label htmlFor={id} className="visually-hidden">
          {PLAYLISTS.searchLabel}
        </label>
        <input
          ref={input}
          id={id}
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={200}
          placeholder={PLAYLISTS.searchLabel}
          value={q}
          onChange={(event) => change(event.target.value)}
        />
      </search>
      <Results orgId={orgId} text={q} onClear={clear} />
    </>
  );
}

function Results({ orgId, text, onClear }: { orgId: string; text: string; onClear: () => void }) {
  const settled = useSettled(text.trim(), 250);
  const progress = useProgress(orgId);
  useNewItemsBadge(orgId);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...searchQuery(orgId, settled),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  if (text.trim() === '') return <p className={classes.hint}>{PLAYLISTS.searchHint}</p>;
  if (data === undefined && error !== null) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <PlaylistGridSkeleton count={3} />;
  if (data.playlists.length + data.items.length === 0) {
    return (
      <div role="status">
        <State icon="search" title={PLAYLISTS.noResults(settled)} text={PLAYLISTS.noResultsText}>
          <Button onClick={onClear}>{PLAYLISTS.clearSearch}</Button>
        </State>
      </div>
    );
  }
  return (
    <div aria-busy={isPlaceholderData}>
      <Found found={data} orgId={orgId} progress={progress} />
    </div>
  );
}

function Found(props: { found: SearchOut; orgId: string; progress: ProgressByItem }) {
  const { found, orgId, progress } = props;
  return (
    <>
      {found.items.length === 0 ? null : (
        <HomeSection title={PLAYLISTS.foundItems}>
          <ItemCards orgId={orgId} items={found.items} progress={progress} as="grid" />
        </HomeSection>
      )}
      {found.playlists.length === 0 ? null : (
        <HomeSection title={PLAYLISTS.foundPlaylists}>
          <PlaylistGrid playlists={found.playlists} progress={progress} />
        </HomeSection>
      )}
    </>
  );
}
