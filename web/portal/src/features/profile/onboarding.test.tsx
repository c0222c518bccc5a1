/** Onboarding, through the real router. */
import { screen, waitFor } from '@testing-library/react';
import type { ProfileOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { problem, profile, server } from '~/shared/testing/server.ts';

const STEP_1 = '/on-boarding/details/user';
const STEP_2 = '/on-boarding/details/company';

const unfilled: Partial<ProfileOut> = { firstName: '', lastName: '', phoneNumber: '', displayName: '', company: '' };

/** The stored profile; records every change. */
function holding(fields: Partial<ProfileOut>) {
  const sent: unknown[] = [];
  const stored = { ...profile, ...fields };
  server.use(
    http.get('*/v1/profiles', () => HttpResponse.json(stored)),
    http.patch('*/v1/profiles', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(stored);
    }),
  );
  return sent;
}

/** The message of a field, not trimmed. */
function messageOf(label: string | RegExp): string | null {
  const field = screen.getByLabelText(label, { selector: 'input' });
  const id = field.getAttribute('aria-describedby')?.split(' ').at(-1);
  return id === undefined || field.getAttribute('aria-invalid') !== 'true'
    ? null
    : (document.getElementById(id)?.textContent ?? null);
}

const firstName = () => screen.findByLabelText('First name');
const terms = () => screen.getByRole('checkbox', { name: 'I accept the Terms and Conditions' });

describe('the first step', () => {
  test('a message appears only after its field was left, and ends in a space', async () => {
    holding(unfilled);
    const { user } = renderAt(STEP_1);
    await user.click(await firstName());
    const labels = ['First name', 'Last name', 'Phone number', /^I accept/];
    expect(labels.map(messageOf)).toEqual([null, null, null, null]);
    await user.tab();
    expect(labels.map(messageOf)).toEqual(['First name is required ', null, null, null]);
    await user.tab();
    await user.tab();
    expect(messageOf('Last name')).toBe('Last name is required ');
    expect(messageOf('Phone number')).toBe('Phone number is required ');
  });

  test('Continue with an empty form marks all fields, sends nothing and focuses the first', async () => {
    const sent = holding(unfilled);
    const { user, path } = renderAt(STEP_1);
    const field = await firstName();
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(['First name', 'Last name', 'Phone number'].map(messageOf)).toEqual([
      'First name is required ',
      'Last name is required ',
      'Phone number is required ',
    ]);
    expect(screen.getByRole('alert')).toHaveTextContent(
      /^Accept to our Terms and Conditions before proceeding further\.$/,
    );
    expect(field).toHaveFocus();
    expect([sent, path()]).toEqual([[], STEP_1]);
  });

  test('the terms must be accepted, with a message next to them', async () => {
    const sent = holding({});
    const { user, path } = renderAt(STEP_1);
    await firstName();
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(screen.getByRole('alert').textContent).toBe('Accept to our Terms and Conditions before proceeding further.');
    expect(messageOf(/^I accept/)).toBe(screen.getByRole('alert').textContent);
    expect(terms()).toHaveFocus();
    expect([sent, path()]).toEqual([[], STEP_1]);
    await user.click(terms());
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('values from a provider are prefilled and sent with the terms and the display name', async () => {
    const sent = holding({ phoneNumber: '' });
    localStorage.setItem('redirectUrl', '/user-profile?from=mail');
    const { user, path } = renderAt(STEP_1);
    expect(await firstName()).toHaveValue('Ada');
    expect(screen.getByLabelText('Last name')).toHaveValue('Byron');
    await user.type(screen.getByLabelText('Phone number'), ' (020) 7946 0123');
    await user.click(terms());
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByRole('heading', { name: 'Profile' });
    expect(sent).toEqual([
      {
        user: {
          firstName: 'Ada',
          lastName: 'Byron',
          phoneNumber: ' (020) 7946 0123',
          displayName: 'Ada Byron',
          termsAccepted: true,
        },
      },
    ]);
    expect(path()).toBe('/user-profile?from=mail');
    expect(localStorage.getItem('redirectUrl')).toBeNull();
  });

  test('the terms open in a new tab at the configured URL', async () => {
    holding({});
    renderAt(STEP_1);
    const link = await screen.findByRole('link', { name: 'Terms and Conditions' });
    expect(link).toHaveAttribute('href', 'http://127.0.0.1:8080/terms');
    expect(link).toHaveAttribute('target', '_blank');
  });

  test('the form does not show if the URL of the terms could not be loaded', async () => {
    holding({});
    server.use(http.get('*/v1/config', () => problem(403, 'No addresses')));
    renderAt(STEP_1);
    expect(await screen.findByText('No addresses')).toBeVisible();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  });

  test('a refused save shows the message and keeps the input', async () => {
    holding(unfilled);
    server.use(http.patch('*/v1/profiles', () => problem(400, 'This number is too long.')));
    const { user, path } = renderAt(STEP_1);
    await user.type(await firstName(), 'Grace');
    await user.type(screen.getByLabelText('Last name'), 'Hopper');
    await user.type(screen.getByLabelText('Phone number'), '1');
    await user.click(terms());
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('This number is too long.')).toBeVisible();
    expect(screen.getByLabelText('First name')).toHaveValue('Grace');
    expect(path()).toBe(STEP_1);
  });

  test('a profile that is not ready yet is retried', async () => {
    let calls = 0;
    server.use(
      http.get('*/v1/profiles', () => {
        calls += 1;
        return calls < 3 ? problem(404, 'Profile not found') : HttpResponse.json(profile);
      }),
    );
    renderAt(STEP_1);
    expect(await firstName()).toHaveValue('Ada');
    expect(calls).toBe(3);
  });
});

describe('the second step', () => {
  test('the link saves the first step, and the remembered address waits for the second', async () => {
    const sent = holding({ jobTitle: '', businessArea: '', company: '' });
    localStorage.setItem('redirectUrl', '/user-profile');
    const { user, path } = renderAt(STEP_1);
    await firstName();
    await user.click(screen.getByRole('link', { name: 'Add company details' }));
    expect([sent, path()]).toEqual([[], STEP_1]);
    await user.click(terms());
    await user.click(screen.getByRole('link', { name: 'Add company details' }));
    expect(await screen.findByRole('heading', { name: 'You are almost there!' })).toBeVisible();
    expect(path()).toBe(STEP_2);
    expect(sent).toHaveLength(1);
    expect(localStorage.getItem('redirectUrl')).toBe('/user-profile');

    await user.type(await screen.findByLabelText('Company'), 'Northwind');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByRole('heading', { name: 'Profile' });
    expect(sent[1]).toEqual({ user: { company: 'Northwind', jobTitle: '', businessArea: '' } });
    expect(localStorage.getItem('redirectUrl')).toBeNull();
  });

  test.each([
    ['Job title', 58, 'chief t', 'Chief Technology Officer'],
    ['Business area', 53, 'film', 'Film and Television'],
  ])('%s offers %i searchable choices', async (label, count, typed, found) => {
    const sent = holding({ jobTitle: '', businessArea: '' });
    localStorage.setItem('redirectUrl', '/user-profile');
    const { user } = renderAt(STEP_2);
    const field = await screen.findByRole('combobox', { name: label });
    await user.click(field);
    const names = (await screen.findAllByRole('option')).map((option) => option.textContent);
    expect(names).toHaveLength(count);
    expect(names.slice(-2)).toEqual(['Other', 'Not Applicable']);
    await user.type(field, typed);
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
    await user.click(screen.getByRole('option', { name: found }));
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(JSON.stringify(sent)).toContain(found));
  });

  test('without a remembered address it ends at the root', async () => {
    holding({});
    server.use(http.get('*/dashboard', () => problem(403, 'No')));
    const { user, path } = renderAt(STEP_2);
    await screen.findByLabelText('Company');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(path()).toMatch(/^\/org\//));
  });

  test('a profile that cannot be loaded says why', async () => {
    server.use(http.get('*/v1/profiles', () => problem(403, 'Not today')));
    renderAt(STEP_2);
    expect(await screen.findByText('Not today')).toBeVisible();
  });
});

test.each([STEP_1, STEP_2])('%s asks an anonymous visitor to sign in first', async (step) => {
  const { path } = renderAt(step, { anonymous: true });
  await screen.findByRole('button', { name: 'Sign in' });
  expect([path(), localStorage.getItem('redirectUrl')]).toEqual(['/login', step]);
});
