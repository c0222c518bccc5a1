/** The most popular content, as cards that lead to its numbers. */
import { Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DashboardOut } from '@vitrine/api';
import { contentKinds } from '~/features/content/model.ts';
import { ItemThumbnail } from '~/features/content/parts/item-thumbnail.tsx';
import { homeTexts } from '../texts.ts';
import classes from './popular-grid.module.css';

interface PopularGridProps {
  orgId: string;
  content: DashboardOut['popularContent'];
}

export function PopularGrid({ orgId, content }: PopularGridProps) {
  return (
    <ul className={classes.grid}>
      {content.map(({ id, title, views, ...item }) => (
        <li key={id} className={classes.card}>
          <ItemThumbnail item={{ ...item, uid: id, title }} length />
          <div className={classes.words}>
            <Link
              to="/org/$orgId/analytics/content/$contentId"
              params={{ orgId, contentId: id }}
              className={classes.title ?? ''}
            >
              {title}
            </Link>
            <Text c="dimmed" fz="xs" className="tabular">
              {contentKinds[item.kind].label} · {homeTexts.views(Math.max(0, views))}
            </Text>
          </div>
        </li>
      ))}
    </ul>
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
