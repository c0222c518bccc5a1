/** The most popular content, as cards that lead to its numbers. */
import { Skeleton, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { DashboardOut } from '@vitrine/api';
import { type ComponentProps, Suspense } from 'react';
import { clock } from '~/shared/lib/format.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { homeTexts } from '../texts.ts';
import classes from './popular-grid.module.css';

const ItemThumbnail = lazyPart(() => import('~/features/content/parts/item-thumbnail.tsx'), 'ItemThumbnail');

interface PopularGridProps {
  orgId: string;
  content: DashboardOut['popularContent'];
}

export function PopularGrid({ orgId, content }: PopularGridProps) {
  return (
    <ul className={classes.grid}>
      {content.map(({ id, title, views, ...item }) => (
        <li key={id} className={classes.card}>
          <Image item={{ ...item, uid: id, title }} />
          <div className={classes.words}>
            <Link
              to="/org/$orgId/analytics/content/$contentId"
              params={{ orgId, contentId: id }}
              className={classes.title ?? ''}
            >
              {title}
            </Link>
            <Text c="dimmed" fz="xs" className="tabular">
              {commonTexts.kinds[item.kind]} · {homeTexts.views(Math.max(0, views))}
            </Text>
          </div>
        </li>
      ))}
    </ul>
  );
}

type ImageProps = Pick<ComponentProps<typeof ItemThumbnail>, 'item'>;

/** Most items have an image; what the others show is loaded for them. */
function Image({ item }: ImageProps) {
  const { kind, previewUrl, durationMs } = item;
  const image = (
    <Thumbnail
      src={previewUrl}
      kind={kind}
      icon={IconPlayerPlay}
      badge={typeof durationMs === 'number' ? clock(durationMs) : undefined}
    />
  );
  if (previewUrl !== '') return image;
  return (
    <Suspense fallback={image}>
      <ItemThumbnail item={item} length />
    </Suspense>
  );
}

/** As many placeholders as cards at most. */
export function PopularSkeleton() {
  return (
    <div className={classes.grid} aria-busy="true">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index.toString()} className={classes.card}>
          <Skeleton height="auto" radius={0} className={classes.placeholder ?? ''} />
          <div className={classes.words}>
            <Skeleton height={14} width="70%" my={4} />
            <Skeleton height={10} width="30%" my={4} />
          </div>
        </div>
      ))}
    </div>
  );
}
