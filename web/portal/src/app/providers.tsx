/** Providers every screen needs: theme, toasts, server state. */
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
  /** Disables transitions in tests. */
  env?: 'test';
}

// Toasts raised before the container has loaded are queued. If loading fails, the screens still work.
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
      defaultColorScheme="auto"
      {...(env === undefined ? {} : { env })}
    >
      <Suspense>
        <Toasts />
      </Suspense>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </MantineProvider>
  );
}
