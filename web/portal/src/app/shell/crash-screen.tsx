/** Shown when a screen breaks while it is drawn. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { appTexts } from '../texts.ts';
import classes from './not-found-page.module.css';

export function CrashScreen() {
  return (
    <Stack className={classes.page} align="center" justify="center" gap="sm" role="alert">
      <Title order={1} fz={28}>
        {appTexts.crashTitle}
      </Title>
      <Text c="dimmed">{appTexts.crashText}</Text>
      <Button mt="xs" onClick={() => window.location.reload()}>
        {appTexts.reload}
      </Button>
    </Stack>
  );
}
