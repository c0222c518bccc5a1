/** Everything the screens stand on: theme, toasts, server state. */
import './mantine.css';
import '@mantine/notifications/styles.layer.css';
import '@vitrine/tokens/fonts.css';
import '@vitrine/tokens/tokens.css';
import './app.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { cssVariablesResolver, theme } from './theme.ts';

interface ProvidersProps {
  client: QueryClient;
  children: ReactNode;
  /** Switches transitions off in tests. */
  env?: 'test';
}

export function Providers({ client, children, env }: ProvidersProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="light"
      {...(env === undefined ? {} : { env })}
    >
      <Notifications position="bottom-right" limit={4} />
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </MantineProvider>
  );
}
