/** The shape of the shell while the memberships are loaded. */
import { Group, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import classes from './shell.module.css';

export function ShellSkeleton() {
  return (
    <div className={classes.frame} aria-busy="true" role="status" aria-label="Loading">
      <div className={classes.rail}>
        <Stack p={12} gap={10}>
          <Group gap="sm" p={6} mb={8} wrap="nowrap">
            <Skeleton height={36} width={36} />
            <Stack gap={6} flex={1}>
              <Skeleton height={12} width="70%" />
              <Skeleton height={10} width="50%" />
            </Stack>
          </Group>
          {Array.from({ length: 6 }, (_, index) => (
            <Skeleton key={index.toString()} height={26} width="80%" ml={8} />
          ))}
        </Stack>
      </div>
      <Stack p={32} gap="lg">
        <Skeleton height={34} width={280} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Skeleton height={104} radius="lg" />
          <Skeleton height={104} radius="lg" />
        </SimpleGrid>
      </Stack>
    </div>
  );
}
