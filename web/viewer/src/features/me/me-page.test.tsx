import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { signOuts } from '~/shared/api.ts';
import { storage } from '~/shared/lib/storage.ts';
import { session } from '~/shared/session.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { joined, problem, server, tokenOf } from '~/shared/testing/server.ts';

describe('Me', () => {
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
    await userEvent.click(consent);
    expect(await screen.findByText('Not now')).toBeVisible();
    expect(consent).not.toBeChecked();
    expect(given).toEqual([{ consent: false }, { consent: true }]);
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

  it('hides consent and leaving from staff, who are not tracked', async () => {
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
    const former = joined({ uid: 'south', name: 'Southwind', access: false, role: null });
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
    expect(screen.queryByRole('heading', { name: 'Consent in other organizations' })).toBeNull();
    expect(withdrawn).toEqual([{ consent: false }, { consent: false }]);
  });

  it('lets a person who was removed everywhere withdraw', async () => {
    signIn();
    const former = joined({ access: false, role: null });
    server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [former] })));
    openApp('/');
    expect(await screen.findByText('You have not joined an organization yet')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Withdraw consent: Northwind Media' })).toBeVisible();
  });

  it.each([
    ['does not respond', () => new Promise<never>(() => undefined)],
    ['cannot be reached', () => HttpResponse.error()],
  ])(
    'logs out at once even when the server %s, and notifies it later',
    async (_, reply) => {
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
    },
    15_000,
  );

  it('remembers the chosen appearance', async () => {
    signIn();
    openApp('/org/north/me');
    expect(await screen.findByRole('radio', { name: 'System' })).toBeChecked();
    await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
    await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
    expect(localStorage.getItem('vitrine.viewer.scheme')).toBe('dark');
  });
});
