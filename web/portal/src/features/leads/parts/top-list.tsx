/** The three playlists, or content items, that a person viewed most in the last 28 days. */
import { Anchor, Skeleton, Text, Title } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { personTotalsQuery } from '~/features/analytics/api/analytics-queries.ts';
import { contentQuery } from '~/features/content/api/content-queries.ts';
import { ItemThumbnail } from '~/features/content/parts/item-thumbnail.tsx';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { playlistQuery } from '~/features/playlists/api/playlist-queries.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import classes from './lead-modal.module.css';
import { leadDetailTexts } from './texts.ts';

type Kind = 'content' | 'playlists';

interface TopListProps {
  kind: Kind;
  userId: string;
}

/** Entries of a list. */
const TOP = 3;

export function TopList({ kind, userId }: TopListProps) {
  const { orgId, timeZone } = useCurrentOrg();
  const query = useQuery(personTotalsQuery(orgId, timeZone, userId, '28d'));
  const title = kind === 'content' ? leadDetailTexts.topContent : leadDetailTexts.topPlaylists;
  const all = kind === 'content' ? query.data?.mostViewedContent : query.data?.mostViewedPlaylists;
  return (
    <section aria-labelledby={`top-${kind}`}>
      <Title order={3} fz={14} id={`top-${kind}`}>
        {title}
      </Title>
      <Text c="dimmed" fz="xs" mb={6}>
        {leadDetailTexts.lastDays}
      </Text>
      {all === undefined ? (
        query.isError ? (
          <Text c="dimmed">{commonTexts.notAvailable}</Text>
        ) : (
          Array.from({ length: TOP }, (_, row) => <Skeleton key={row.toString()} height={36} my={6} />)
        )
      ) : all.length === 0 ? (
        <Text c="dimmed">{leadDetailTexts.nothing}</Text>
      ) : (
        <ol className={classes.list} aria-labelledby={`top-${kind}`}>
          {all.slice(0, TOP).map(({ id, viewCount }) => (
            <li key={id} className={classes.top}>
              {kind === 'content' ? <Item id={id} views={viewCount} /> : <Playlist id={id} views={viewCount} />}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

interface ViewedProps {
  id: string;
  views: number;
}

function Item({ id, views }: ViewedProps) {
  const { orgId } = useCurrentOrg();
  const item = useQuery({ ...contentQuery(orgId, id), refetchInterval: false });
  return (
    <Entry
      kind="content"
      thing={item}
      link={`/org/${orgId}/analytics/content/${id}`}
      views={views}
      image={
        item.data === undefined ? (
          <Thumbnail src="" icon={IconPlayerPlay} className={classes.image ?? ''} />
        ) : (
          <ItemThumbnail item={item.data} className={classes.image ?? ''} />
        )
      }
    />
  );
}

function Playlist({ id, views }: ViewedProps) {
  const { orgId } = useCurrentOrg();
  const playlist = useQuery(playlistQuery(orgId, id));
  return (
    <Entry
      kind="playlists"
      thing={playlist}
      link={`/org/${orgId}/analytics/playlists/${id}`}
      views={views}
      image={
        <Thumbnail
          src={playlist.data?.previewUrl ?? ''}
          icon={IconPlayerPlay}
          className={classes.image ?? ''}
          {...(playlist.data === undefined ? {} : { mosaic: playlist.data.itemPreviews, cover: playlist.data })}
        />
      }
    />
  );
}

interface Thing {
  data: { title: string } | undefined;
  isError: boolean;
}

interface EntryProps {
  kind: Kind;
  thing: Thing;
  link: string;
  views: number;
  image: ReactNode;
}

/** What was deleted since cannot be loaded, and has no page. */
function Entry({ kind, thing, link, views, image }: EntryProps) {
  return (
    <>
      {image}
      <div className={classes.words}>
        {thing.data !== undefined ? (
          <Anchor component={Link} to={link} className={classes.title ?? ''}>
            {thing.data.title}
          </Anchor>
        ) : thing.isError ? (
          <Text c="dimmed">{leadDetailTexts.itemErrors[kind]}</Text>
        ) : (
          <Skeleton height={14} width={120} my={3} />
        )}
        <Text c="dimmed" fz="xs" className="tabular">
          {leadDetailTexts.viewCount(views)}
        </Text>
      </div>
    </>
  );
}
