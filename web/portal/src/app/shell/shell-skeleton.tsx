/** The shell while memberships are loading. */
import { Group, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { commonTexts } from '~/shared/lib/texts.ts';
import classes from './shell.module.css';

/** Placeholders match the final layout, so that nothing shifts. */
export function ShellSkeleton({ collapsed }: { collapsed: boolean }) {
  return (
    <div
      className={classes.frame}
      data-collapsed={collapsed || undefined}
      aria-busy="true"
      role="status"
      aria-label={commonTexts.loading}
    >
      <div className={classes.topbar}>
        <Skeleton height={22} width={22} m={11} />
        <Skeleton height={14} width={84} />
      </div>
      <div className={classes.rail}>
        <Stack p={12} gap={2}>
          <Group gap={10} p={6} mb={12} wrap="nowrap" justify={collapsed ? 'center' : 'flex-start'}>
            <Skeleton height={38} width={38} />
            {!collapsed && (
              <Stack gap={6} flex={1}>
                <Skeleton height={12} width="70%" />
                <Skeleton height={10} width="50%" />
              </Stack>
            )}
          </Group>
          {Array.from({ length: 6 }, (_, index) => (
            <Group
              key={index.toString()}
              h={38}
              px={13}
              gap={12}
              wrap="nowrap"
              justify={collapsed ? 'center' : 'start'}
            >
              <Skeleton height={20} width={20} />
              {!collapsed && <Skeleton height={12} width={80 + ((index * 31) % 50)} />}
            </Group>
          ))}
        </Stack>
      </div>
      <div className={classes.content}>
        <Stack className={classes.skeletonPage} gap="lg">
          <Skeleton height={34} maw={280} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Skeleton height={104} radius="lg" />
            <Skeleton height={104} radius="lg" />
          </SimpleGrid>
        </Stack>
      </div>
    </div>
  );
}
