/** The shapes of the insights while they load. */
import { Skeleton } from '@mantine/core';
import { Surface } from '~/shared/ui/surface.tsx';
import classes from './insights.module.css';

export function TrendsSkeleton() {
  return (
    <div className={classes.trends} aria-busy="true">
      <div className={classes.head}>
        <Skeleton height={18} width={120} my={3} />
      </div>
      <div className={classes.tiles}>
        {Array.from({ length: 4 }, (_, tile) => (
          <Skeleton key={tile.toString()} className={classes.tile ?? ''} radius="lg" />
        ))}
      </div>
    </div>
  );
}

export function RailSkeleton() {
  return (
    <div className={classes.rail} aria-busy="true">
      {[1, 4, 6].map((rows) => (
        <Surface key={rows} className={classes.card ?? ''}>
          <Skeleton height={14} width={130} mb="md" />
          <Rows rows={rows} />
        </Surface>
      ))}
    </div>
  );
}

function Rows({ rows }: { rows: number }) {
  return (
    <div aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row.toString()} className={classes.row}>
          <Skeleton circle height={32} width={32} />
          <div className={classes.words}>
            <Skeleton height={12} width="70%" my={3} />
            <Skeleton height={10} width="40%" my={4} />
          </div>
        </div>
      ))}
    </div>
  );
}
