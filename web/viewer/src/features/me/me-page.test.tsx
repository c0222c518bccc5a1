import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { signOuts } from '~/shared/api.ts';
import { storage } from '~/shared/lib/storage.ts';
import { session } from '~/shared/session.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { joined, openSession, problem, profile, server, tokenOf } from '~/shared/testing/server.ts';

describe('Me', () => {
  it('shows the photo of the person, or the initials', async () => {
    signIn();
    const { client } = openApp('/org/north/me');
    expect(await screen.findByText('AL')).toBeVisible();
    const photoURL = 'https://vitrine.example/images/0123456789abcdef0123456789abcdef';
    server.use(
      http.get('*/v1/profiles', () => HttpResponse.json(profile({ firstName: 'Ann', lastName: 'Lee', photoURL }))),
    );
    await client.invalidateQueries();
    await waitFor(() => expect(document.querySelector(`main img[src="${photoURL}?width=96"]`)).not.toBeNull());
    expect(screen.queryByText('AL')).toBeNull();
  });

  it('withdraws and gives consent, and keeps its state if the server refuses', async () => {
    signIn();
    const given: unknown[] = [];
    server.use(
      http.patch('*/v1/organizations/north/users/me/consent', async ({ request }) => {
        given.push(await request.json());
        return given.length < 2 ? HttpResponse.json({}) : problem(503, 'Not now');
      }),
    );
    openApp('/org/north/me');
    const consent = await screen.findByRole('switch', { name: 'Share what I watch' });
    expect(consent).toBeChecked();
    await userEvent.click(consent);
    expect(await screen.findByText('Consent withdrawn')).toBeVisible();
    expect(consent).not.toBeChecked();
    // A yes is an answer to the notice, which is shown first.
    await userEvent.click(consent);
    expect(await screen.findByText('You may say no.')).toBeVisible();
    expect(given).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Yes, I agree' }));
    expect(await screen.findByText('Not now')).toBeVisible();
    expect(consent).not.toBeChecked();
    expect(given).toEqual([{ consent: false }, { consent: true, noticeVersion: '2026-11-20' }]);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByText('You may say no.')).toBeNull();
  });

  it('lets staff take back a yes from before, and nothing else', async () => {
    signIn();
    const answers: unknown[] = [];
    server.use(
      http.get('*/v1/viewer/organizations', () =>
        HttpResponse.json({ data: [joined({ role: 'teamLeader', consent: answers.length === 0 })] }),
      ),
      http.patch('*/v1/organizations/north/users/me/consent', async ({ request }) => {
        answers.push(await request.json());
        return HttpResponse.json({});
      }),
    );
    openApp('/org/north/me');
    await userEvent.click(await screen.findByRole('switch', { name: 'Share what I watch' }));
    await waitFor(() => expect(screen.queryByRole('switch')).toBeNull());
    expect(answers).toEqual([{ consent: false }]);
  });

  it('shows what is stored, and erases the account, without an organisation', async () => {
    signIn();
    server.use(
      http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] })),
      http.get('*/v1/profiles/export', () => HttpResponse.json({ profile: { email: 'ann@example.com' } })),
    );
    const { address } = openApp('/');
    expect(await screen.findByRole('button', { name: 'Erase my account' })).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: 'What is stored about me' }));
    expect(await screen.findByRole('heading', { name: 'Profile' })).toBeVisible();
    expect(address()).toBe('/app/my-data');
    await userEvent.click(screen.getByRole('link', { name: 'Back' }));
    expect(address()).toBe('/app/');
  });

  it('leaves the organisation only after confirmation', async () => {
    signIn();
    let left = 0;
    server.use(
      http.delete('*/v1/organizations/north/users/me', () => {
        left += 1;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    openApp('/org/north/me');
    await userEvent.click(await screen.findByRole('button', { name: 'Leave organization' }));
    expect(screen.getByRole('dialog', { name: 'Leave Northwind Media?' })).toBeVisible();
    expect(left).toBe(0);
    await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
    expect(await screen.findByText('You have not joined an organization yet')).toBeVisible();
    expect(left).toBe(1);
  });

  it('hides consent and leaving from staff, whose activity does not count', async () => {
    signIn();
    server.use(
      http.get('*/v1/viewer/organizations', () =>
        HttpResponse.json({ data: [joined({ role: 'teamLeader', consent: null })] }),
      ),
    );
    openApp('/org/north/me');
    expect(await screen.findByRole('button', { name: 'Log out' })).toBeVisible();
    expect(screen.queryByRole('switch')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Leave organization' })).toBeNull();
  });

  it('withdraws a consent in an organisation that cannot be opened any more', async () => {
    signIn();
    const former = joined({ uid: 'south', name: 'Southwind', access: false, member: false, role: null });
    const withdrawn: unknown[] = [];
    server.use(
      http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [joined(), former] })),
      http.patch('*/v1/organizations/south/users/me/consent', async ({ request }) => {
        withdrawn.push(await request.json());
        return withdrawn.length < 2 ? problem(503, 'Not now') : HttpResponse.json({});
      }),
    );
    openApp('/org/north/me');
    const button = await screen.findByRole('button', { name: 'Withdraw consent: Southwind' });
    expect(screen.queryByRole('combobox', { name: 'Organization' })).toBeNull();
    await userEvent.click(button);
    expect(await screen.findByText('Not now')).toBeVisible();
    await userEvent.click(button);
    expect(await screen.findByText('Consent withdrawn: Southwind')).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Other organizations' })).toBeNull();
    expect(withdrawn).toEqual([{ consent: false }, { consent: false }]);
  });

  it('leaves an organisation whose plan has ended', async () => {
    signIn();
    const ended = joined({ uid: 'south', name: 'Southwind', access: false, role: null, consent: false });
    const left: unknown[] = [];
    server.use(
      http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [joined(), ended] })),
      http.delete('*/v1/organizations/:id/users/me', ({ params }) => {
        left.push(params.id);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    openApp('/org/north/me');
    await userEvent.click(await screen.findByRole('button', { name: 'Leave Southwind' }));
    const question = screen.getByRole('dialog', { name: 'Leave Southwind?' });
    expect(within(question).getByText(/^If it opens again/)).toBeVisible();
    await userEvent.click(within(question).getByRole('button', { name: 'Leave' }));
    expect(await screen.findByText('You have left Southwind.')).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Other organizations' })).toBeNull();
    expect(left).toEqual(['south']);
    expect(screen.getByRole('heading', { name: 'Me' })).toBeVisible();
  });

  it('lets a person who was removed everywhere withdraw, and log out', async () => {
    signIn();
    const former = joined({ access: false, member: false, role: null });
    server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [former] })));
    openApp('/');
    expect(await screen.findByText('You have not joined an organization yet')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Withdraw consent: Northwind Media' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Log out' }));
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
  });

  it.each([
    ['does not respond', () => new Promise<never>(() => undefined)],
    ['cannot be reached', () => HttpResponse.error()],
  ])('logs out at once even when the server %s, and notifies it later', async (_, reply) => {
    session.save(tokenOf('ann', 0));
    server.use(http.post('*/v1/auth/sign-out', reply));
    openApp('/org/north/me');
    await userEvent.click(await screen.findByRole('button', { name: 'Log out' }));
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect([session.token(), storage.get('next'), storage.get('organisation')]).toEqual([null, null, null]);
    const pending = /^You are signed out on this device\. The server could not be reached/;
    expect(await screen.findByText(pending)).toBeVisible();
    const requests: (string | null)[] = [];
    server.use(
      http.post('*/v1/auth/sign-out', ({ request }) => {
        requests.push(request.headers.get('Authorization'), new URL(request.url).search);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await expect(signOuts.deliver()).resolves.toBe(true);
    expect(requests).toEqual([`Bearer ${tokenOf('ann', 0)}`, '?app=viewer']);
  });

  it('remembers the chosen appearance', async () => {
    signIn();
    openApp('/org/north/me');
    expect(await screen.findByRole('radio', { name: 'System' })).toBeChecked();
    await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
    await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
    expect(localStorage.getItem('vitrine.viewer.scheme')).toBe('dark');
  });

  it('shows the notice and all answers on request', async () => {
    signIn();
    openApp('/org/north/me');
    await userEvent.click(await screen.findByText('Notice and your answers'));
    expect(await screen.findByText('You agreed')).toBeVisible();
    expect(screen.getByText('You may say no.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Notice of Nov 20, 2026' })).toBeVisible();
  });

  it('keeps the brand while the details are edited', async () => {
    signIn();
    const { address } = openApp('/org/north/me');
    await userEvent.click(await screen.findByRole('link', { name: 'Edit details' }));
    expect(await screen.findByRole('heading', { name: 'Your details' })).toBeVisible();
    expect(screen.getByText('Northwind Media')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(address()).toBe('/app/org/north/me'));
  });

  it('turns the emails of an organisation off', async () => {
    signIn();
    const sent: unknown[] = [];
    server.use(
      http.patch('*/v1/organizations/north/users/me/announcements', async ({ request }) => {
        const body = (await request.json()) as { emails: boolean };
        sent.push(body);
        return HttpResponse.json(body);
      }),
    );
    openApp('/org/north/me');
    const emails = await screen.findByRole('switch', { name: 'Emails about what is new' });
    await waitFor(() => expect(emails).toBeChecked());
    await userEvent.click(emails);
    expect(await screen.findByText('You will get no more emails')).toBeVisible();
    expect(emails).not.toBeChecked();
    expect(sent).toEqual([{ emails: false }]);
  });

  it('signs out another device, not this one', async () => {
    signIn();
    const ended: string[] = [];
    server.use(
      http.get('*/v1/auth/sessions', () =>
        HttpResponse.json({
          data: [openSession('here', { current: true }), openSession('there', { device: 'Safari on iPhone' })],
        }),
      ),
      http.delete('*/v1/auth/sessions/:uid', ({ params }) => {
        ended.push(String(params.uid));
        return new HttpResponse(null, { status: 204 });
      }),
    );
    openApp('/org/north/me');
    expect(await screen.findByText('This device')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Sign out: Safari on iPhone (App)' }));
    expect(await screen.findByText('Signed out: Safari on iPhone (App)')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Sign out: / })).toBeNull();
    expect(ended).toEqual(['there']);
  });

  it('changes the language of the app and remembers it', async () => {
    signIn();
    openApp('/org/north/me');
    await userEvent.click(await screen.findByRole('radio', { name: 'Deutsch' }));
    expect(await screen.findByRole('heading', { name: 'Ich' })).toBeVisible();
    expect(await screen.findByRole('switch', { name: 'Teilen, was ich ansehe' })).toBeVisible();
    expect(document.documentElement.lang).toBe('de');
    expect(localStorage.getItem('vitrine.viewer.language')).toBe('de');
  });
});
