/** Everything the screens stand on: theme, toasts, server state. */
import './mantine.css';
import '@mantine/notifications/styles.layer.css';
import '@vitrine/tokens/cover.css';
import '@vitrine/tokens/fonts.css';
import '@vitrine/tokens/tokens.css';
import './app.css';
import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { cssVariablesResolver, theme } from './theme.ts';

interface ProvidersProps {
  client: QueryClient;
  children: ReactNode;
  /** Switches transitions off in tests. */
  env?: 'test';
}

// A toast that comes before its place is loaded waits; without it the screens still work.
const Toasts = lazy<ComponentType>(() =>
  import('./toasts.tsx').then(
    (loaded) => ({ default: loaded.Toasts }),
    () => ({ default: () => null }),
  ),
);

export function Providers({ client, children, env }: ProvidersProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="light"
      {...(env === undefined ? {} : { env })}
    >
      <Suspense>
        <Toasts />
      </Suspense>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </MantineProvider>
  );
}
