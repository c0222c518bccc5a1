/** What the browser shows of a first screen while the application loads. The build renders it to HTML. */
import { Button, MantineProvider, Skeleton, Stack, Text, Title } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { sessionTexts } from '~/features/session/texts.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import classes from './shell/not-found-page.module.css';
import { ShellSkeleton } from './shell/shell-skeleton.tsx';
import { appTexts } from './texts.ts';
import { cssVariablesResolver, theme } from './theme.ts';

/** A field or a button; taller on touch screens. */
const control = <Skeleton height={36} className="placeholder-control" />;

/** The form of the sign-in screens: a labelled field, its button, and two providers. */
const form = (
  <Stack gap="md" aria-hidden>
    <Stack gap={6} pt={5}>
      <Skeleton height={14} width={40} />
      {control}
    </Stack>
    {control}
    <Skeleton height={1} my={8} />
    <Stack gap="xs" mt={-8}>
      {control}
      {control}
    </Stack>
  </Stack>
);

const screens = {
  login: (
    <TaskPage title={sessionTexts.signIn} lead={sessionTexts.signInLead} footer={sessionTexts.newToProduct}>
      {form}
    </TaskPage>
  ),
  signUp: (
    <TaskPage title={sessionTexts.signUp} lead={sessionTexts.signUpLead} footer={sessionTexts.haveAccount}>
      {form}
    </TaskPage>
  ),
  shell: <ShellSkeleton collapsed={false} />,
  shellCollapsed: <ShellSkeleton collapsed />,
  /** The application's files could not be loaded, so this works without them. */
  failed: (
    <Stack className={classes.page} align="center" justify="center" gap="sm" role="alert">
      <Title order={1} fz={28}>
        {appTexts.crashTitle}
      </Title>
      <Text c="dimmed" maw={420}>
        {appTexts.filesGone}
      </Text>
      <Button component="a" href="" mt="xs">
        {appTexts.reload}
      </Button>
    </Stack>
  ),
};

/** Renders all of them, by name. */
export function renderPlaceholders(): Record<string, string> {
  const rendered = Object.entries(screens).map(([name, screen]) => [
    name,
    renderToStaticMarkup(
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
        {screen}
      </MantineProvider>,
    ),
  ]);
  return Object.fromEntries(rendered);
}
