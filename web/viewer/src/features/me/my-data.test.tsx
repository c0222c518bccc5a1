import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { storage } from '~/shared/lib/storage.ts';
import { session } from '~/shared/session.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { refusal, server } from '~/shared/testing/server.ts';
import { isTime, labelOf } from './model.ts';

describe('what is stored about a person', () => {
  it('is a readable list', async () => {
    signIn();
    const stored = {
      auditEntries: [],
      profile: { firstName: 'Ann', company: '', timeCreated: '2026-11-20T06:41:00.000Z' },
      signIn: { emailVerified: true, providers: [] },
      consents: [{ consent: true, orgId: 'o-1' }, { consent: false }],
      organizations: [{ orgId: 'o-1', name: 'Northwind Films', history: [{ contentId: 'c-1' }] }],
    };
    server.use(http.get('*/v1/profiles/export', () => HttpResponse.json(stored)));
    openApp('/org/north/me');
    await userEvent.click(await screen.findByRole('link', { name: 'What is stored about me' }));
    expect(await screen.findByRole('heading', { name: 'Ways to sign in' })).toBeVisible();
    const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(headings).toEqual(['Profile', 'Ways to sign in', 'Consents', 'Organizations', 'Audit entries']);
    expect(screen.getByText('First name').nextElementSibling).toHaveTextContent('Ann');
    expect(screen.getByText('Company').nextElementSibling).toHaveTextContent('Nothing');
    expect(screen.getByText('Email verified').nextElementSibling).toHaveTextContent('Yes');
    expect(screen.getByText('2 entries')).toBeVisible();
    const [ofConsent] = screen.getAllByText('Organization');
    expect(ofConsent?.nextElementSibling, 'the name instead of the id').toHaveTextContent('Northwind Films');
    expect(screen.getByText('Content').nextElementSibling, 'without a name, the id').toHaveTextContent('c-1');
    expect(screen.getByRole('heading', { name: 'Consents' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download as a file' })).toBeVisible();
  });

  it('has readable names, and times are told from other texts', () => {
    expect(labelOf('timeLastSeen')).toBe('Time last seen');
    expect(labelOf('watch_time')).toBe('Watch time');
    expect(isTime('2026-11-20T06:41:00.000Z')).toBe(true);
    expect(isTime('2026-11-20')).toBe(false);
  });
});

describe('erasing the account', () => {
  const open = async () => {
    signIn();
    const { address } = openApp('/org/north/me');
    await screen.findByText('ann@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Erase my account' }));
    return { address, email: await screen.findByLabelText('Your email address: ann@example.com') };
  };

  it('needs the email address, and signs out', async () => {
    const sent: unknown[] = [];
    server.use(
      http.delete('*/v1/profiles', async ({ request }) => {
        sent.push(await request.json());
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { address, email } = await open();
    await userEvent.type(email, 'bea@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Erase' }));
    expect(await screen.findByText('This is not the email address of your account.')).toBeVisible();
    expect(sent).toEqual([]);
    await userEvent.clear(email);
    await userEvent.type(email, ' Ann@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Erase' }));
    expect(await screen.findByText('Your account has been erased.')).toBeVisible();
    await waitFor(() => expect(address()).toBe('/app/sign-in'));
    expect(sent).toEqual([{ email: 'ann@example.com' }]);
    expect([session.token(), storage.get('organisation')]).toEqual([null, null]);
  });

  it('shows why the server refused', async () => {
    server.use(http.delete('*/v1/profiles', () => refusal(409, 'last_super_admin', 'Hand over Acme first.')));
    const { email } = await open();
    await userEvent.type(email, 'ann@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Erase' }));
    expect(await screen.findByText('Hand over Acme first.')).toBeVisible();
    expect(session.token()).not.toBeNull();
  });
});
