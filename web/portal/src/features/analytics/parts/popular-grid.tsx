/** The most popular content, as cards. */
import { SimpleGrid, Skeleton, Text } from '@mantine/core';
import { IconVideo } from '@tabler/icons-react';
import type { DashboardOut } from '@vitrine/api';
import { Surface } from '~/shared/ui/surface.tsx';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { analyticsTexts } from '../texts.ts';
import classes from './popular-grid.module.css';

const COLUMNS = { base: 1, xs: 2, lg: 3 };

export function PopularGrid({ content }: { content: DashboardOut['popularContent'] }) {
  return (
    <SimpleGrid cols={COLUMNS} component="ul" className={classes.grid}>
      {content.map(({ id, title, previewUrl, views }) => (
        <Surface as="li" flush key={id}>
          <Thumbnail src={previewUrl} icon={IconVideo} />
          <div className={classes.words}>
            <Text fw={600} className={classes.title}>
              {title}
            </Text>
            <Text c="dimmed" fz="xs" className="tabular">
              {analyticsTexts.views(Math.max(0, views))}
            </Text>
          </div>
        </Surface>
      ))}
    </SimpleGrid>
  );
}

/** Three placeholder cards. */
export function PopularSkeleton() {
  return (
    <SimpleGrid cols={COLUMNS}>
      {Array.from({ length: 3 }, (_, index) => (
        <Skeleton key={index.toString()} height={270} radius="lg" />
      ))}
    </SimpleGrid>
  );
}
