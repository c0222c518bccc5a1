/** Renders part of a screen of an organisation on its own, signed in. */
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Providers } from '~/app/providers.tsx';
import { CurrentOrgProvider } from '~/features/orgs/current-org.tsx';
import { createQueryClient } from '../api/query-client.ts';
import { session } from '../api/session.ts';
import { membership } from './server.ts';

export function renderPart(part: ReactNode) {
  session.save('token');
  const client = createQueryClient();
  const wrap = (inner: ReactNode) => (
    <Providers client={client} env="test">
      <CurrentOrgProvider membership={membership('superAdmin')}>{inner}</CurrentOrgProvider>
    </Providers>
  );
  const view = render(wrap(part));
  return { ...view, client, user: userEvent.setup(), show: (next: ReactNode) => view.rerender(wrap(next)) };
}
