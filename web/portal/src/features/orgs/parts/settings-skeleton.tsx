/** The settings while they load: form and previews in their places. */
import { Skeleton, Stack } from '@mantine/core';
import classes from './organisation-form.module.css';
import phone from './phone-preview.module.css';
import previews from './previews.module.css';

export function SettingsSkeleton() {
  return (
    <div className={classes.layout} aria-busy="true">
      <Stack gap="md">
        <Skeleton height={448} radius="lg" />
        <Skeleton height={360} radius="lg" />
        <Skeleton height={154} radius="lg" />
      </Stack>
      <div className={previews.beside}>
        <Skeleton className={phone.skeleton ?? ''} />
        <Skeleton className={phone.skeleton ?? ''} />
      </div>
    </div>
  );
}
