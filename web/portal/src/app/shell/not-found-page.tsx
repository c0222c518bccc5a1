/** Shown for unknown addresses and for screens the role may not see. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { PRODUCT } from '~/shared/lib/product.ts';
import { appTexts } from '../texts.ts';
import classes from './not-found-page.module.css';

export function NotFoundPage() {
  useDocumentTitle(`${appTexts.notFound} · ${PRODUCT}`);
  return (
    <Stack className={classes.page} align="center" justify="center" gap="sm">
      <Text className={classes.figure} aria-hidden>
        {appTexts.notFoundCode}
      </Text>
      <Title order={1} fz={22}>
        {appTexts.notFound}
      </Title>
      <Text c="dimmed">{appTexts.notFoundHint}</Text>
      <Button component={Link} to="/" variant="default" mt="xs">
        {appTexts.toHome}
      </Button>
    </Stack>
  );
}
