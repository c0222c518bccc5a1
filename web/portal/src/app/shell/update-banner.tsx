/** Offers the new version once its worker waits. */

import { useRegisterSW } from 'virtual:pwa-register/react';
import { Button, Group, Text } from '@mantine/core';
import { appTexts } from '../texts.ts';
import classes from './update-banner.module.css';

/** Update activates the waiting worker and reloads. */
export function UpdateBanner() {
  const {
    needRefresh: [waiting],
    updateServiceWorker,
  } = useRegisterSW();
  if (!waiting) return null;
  return (
    <Group className={classes.banner} role="status" gap="md" wrap="nowrap">
      <Text>{appTexts.newVersion}</Text>
      <Button size="xs" onClick={() => void updateServiceWorker(true)}>
        {appTexts.update}
      </Button>
    </Group>
  );
}
