/** Inviting viewers by typed addresses and by a CSV file. */
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { refusal } from '~/shared/testing/identity.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, server } from '~/shared/testing/server.ts';
import { addressesInCsv } from './model.ts';

const INVITES = '*/v1/organizations/:id/invites';

async function openDialog() {
  server.use(http.get('*/v1/organizations/:id/users', () => HttpResponse.json({ data: [], total: 0 })));
  const { user } = renderAt(`/org/${ORG}/users`);
  await user.click(await screen.findByRole('button', { name: 'Invite viewers' }));
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'Invite viewers' })) };
}

test.each([
  ['email\nada@example.com\nbob@example.com\n', ['ada@example.com', 'bob@example.com']],
  ['Name;Email\r\n"Lovelace, Ada";"Ada@Example.com"\r\nBob;bob@example.com', ['ada@example.com', 'bob@example.com']],
  ['Ada <ada@example.com>,ada@example.com', ['ada@example.com']],
  ["'ada@example.com';o'brien@example.com", ['ada@example.com', "o'brien@example.com"]],
  ['name,phone\nAda,123', []],
])('the addresses of %j', (text, found) => {
  expect(addressesInCsv(text)).toEqual(found);
});

test('a CSV file is added to the typed addresses and sent a part at a time', async () => {
  const sent: string[][] = [];
  server.use(
    http.post(INVITES, async ({ request }) => {
      const body = (await request.json()) as { userEmails: string[]; role: string };
      expect(body.role).toBe('user');
      sent.push(body.userEmails);
      return list(body.userEmails.map((userEmail) => ({ userEmail, uid: userEmail, problem: null })));
    }),
  );
  const { user, dialog } = await openDialog();
  await user.type(dialog.getByLabelText('Email'), 'ada@example.com');
  const lines = Array.from({ length: 230 }, (_, n) => `Viewer ${n},viewer${n}@example.com`);
  const file = new File([['Name,Email', ...lines].join('\n')], 'people.csv', { type: 'text/csv' });
  await user.upload(dialog.getByLabelText('CSV file with email addresses'), file);
  expect(await dialog.findByText('231 addresses')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Send invite' }));
  expect(await screen.findByText('231 invitations sent')).toBeVisible();
  expect(sent.map((part) => part.length)).toEqual([100, 100, 31]);
  expect(sent[0]?.[0]).toBe('ada@example.com');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('refused addresses stay with their reasons', async () => {
  server.use(
    http.post(INVITES, () =>
      list([
        { userEmail: 'a@example.com', uid: 'a', problem: null },
        {
          userEmail: 'b@example.com',
          uid: null,
          problem: { status: 409, code: 'already_joined', message: 'This person has already joined.' },
        },
      ]),
    ),
  );
  const { user, dialog } = await openDialog();
  await user.click(dialog.getByRole('button', { name: 'Send invite' }));
  expect(dialog.getByText('Enter at least one email address.')).toBeVisible();
  await user.type(dialog.getByLabelText('Email'), 'a@example.com b@example.com');
  await user.click(dialog.getByRole('button', { name: 'Send invite' }));
  expect(await dialog.findByText('1 address was not invited')).toBeVisible();
  expect(dialog.getByText('This person has already joined.')).toBeVisible();
  expect(dialog.getByLabelText('Email')).toHaveValue('b@example.com');
  expect(dialog.getByText('1 of 2 invitations sent')).toBeVisible();
});

test('after a failure, the addresses that were not sent stay', async () => {
  let requests = 0;
  server.use(
    http.post(INVITES, async ({ request }) => {
      requests += 1;
      if (requests > 1) return refusal(503, 'unavailable', 'Try again later.');
      const { userEmails } = (await request.json()) as { userEmails: string[] };
      return list(userEmails.map((userEmail) => ({ userEmail, uid: userEmail, problem: null })));
    }),
  );
  const { user, dialog } = await openDialog();
  const file = new File([Array.from({ length: 102 }, (_, n) => `v${n}@example.com`).join('\n')], 'people.csv');
  await user.upload(dialog.getByLabelText('CSV file with email addresses'), file);
  await user.click(await dialog.findByRole('button', { name: 'Send invite' }));
  expect(await screen.findByText('Try again later.')).toBeVisible();
  await waitFor(() => expect(dialog.getByLabelText('Email')).toHaveValue('v100@example.com\nv101@example.com'));
});

test('nothing more is sent once the plan is full', async () => {
  let requests = 0;
  server.use(
    http.post(INVITES, async ({ request }) => {
      requests += 1;
      const { userEmails } = (await request.json()) as { userEmails: string[] };
      const full = { status: 402, code: 'no_app_user', message: 'The plan is full.' };
      return list(
        userEmails.map((userEmail, n) =>
          n < 40 ? { userEmail, uid: userEmail, problem: null } : { userEmail, uid: null, problem: full },
        ),
      );
    }),
  );
  const { user, dialog } = await openDialog();
  const file = new File([Array.from({ length: 250 }, (_, n) => `v${n}@example.com`).join('\n')], 'people.csv');
  await user.upload(dialog.getByLabelText('CSV file with email addresses'), file);
  await user.click(await dialog.findByRole('button', { name: 'Send invite' }));
  expect(await dialog.findByText('40 of 250 invitations sent')).toBeVisible();
  expect(dialog.getByRole('alert')).toHaveTextContent('60 addresses were not invited');
  expect(dialog.getByText('210 addresses')).toBeVisible();
  expect(requests).toBe(1);
});

test('a file without addresses changes nothing', async () => {
  const { user, dialog } = await openDialog();
  await user.type(dialog.getByLabelText('Email'), 'ada@example.com');
  await user.upload(dialog.getByLabelText('CSV file with email addresses'), new File(['name\nAda'], 'names.csv'));
  expect(await dialog.findByText('No email addresses were found in names.csv.')).toBeVisible();
  expect(dialog.getByLabelText('Email')).toHaveValue('ada@example.com');
});
