/** Two people in one browser, and a busy server. */
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { profileQuery } from '~/features/profile/queries.ts';
import { session } from '~/shared/session.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { profile, server, tokenOf } from '~/shared/testing/server.ts';

const people = {
  ann: profile({ firstName: 'Ann', lastName: 'Lee', company: 'Acme', phoneNumber: '+1 212 555 0123' }),
  bea: profile({ uid: 'bea', email: 'bea@example.com', firstName: 'Bea', lastName: 'Nolan', phoneNumber: '+47 22' }),
};

/** Answers with the caller's profile. */
const ownProfile = http.get('*/v1/profiles', ({ request }) =>
  HttpResponse.json(request.headers.get('Authorization') === `Bearer ${tokenOf('bea', 0)}` ? people.bea : people.ann),
);

/** Bea signs in from another tab. */
const beaElsewhere = () =>
  act(async () => {
    localStorage.setItem('vitrine.viewer.session', JSON.stringify({ accessToken: tokenOf('bea', 0) }));
    window.dispatchEvent(new StorageEvent('storage', { key: 'vitrine.viewer.session' }));
  });

it('a save in flight of one person is not shown to the next', async () => {
  let answer = (_: Response) => {};
  server.use(
    ownProfile,
    http.patch('*/v1/profiles', () => new Promise<Response>((resolve) => (answer = resolve))),
  );
  signIn();
  const { client } = openApp('/details');
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-busy', 'true'));
  await beaElsewhere();
  await waitFor(() => expect(screen.getByLabelText('First name')).toHaveValue('Bea'));
  await act(async () => answer(HttpResponse.json({ ...people.ann, company: 'Secret Ltd' })));
  await act(() => new Promise((done) => setTimeout(done, 50)));
  expect(screen.queryByText('Profile updated successfully')).toBeNull();
  expect(screen.getByLabelText('First name')).toHaveValue('Bea');
  expect(client.getQueryData(profileQuery.queryKey)).toEqual(people.bea);
});

it('what one person typed is gone when another signs in', async () => {
  server.use(ownProfile);
  signIn();
  openApp('/details');
  const company = await screen.findByLabelText('Company');
  await userEvent.type(company, 'Secret');
  await beaElsewhere();
  await waitFor(() => expect(screen.getByLabelText('First name')).toHaveValue('Bea'));
  expect(screen.getByLabelText('Company')).toHaveValue('');
  expect(session.token()).toBe(tokenOf('bea', 0));
});

it('a busy server shows a notice in the app, and the screen then loads automatically', async () => {
  let asked = 0;
  server.use(
    http.get('*/v1/profiles', () => {
      asked += 1;
      if (asked > 1) return HttpResponse.json(people.ann);
      return HttpResponse.json({ status: 503, message: 'Later' }, { status: 503, headers: { 'Retry-After': '3' } });
    }),
  );
  signIn();
  openApp('/details');
  expect(await screen.findByText(/^The server is busy\. Continuing shortly\./)).toHaveTextContent(/\([1-3] s\)/);
  expect(await screen.findByLabelText('First name')).toHaveValue('Ann');
  expect(screen.queryByText(/^The server is busy/)).toBeNull();
});
