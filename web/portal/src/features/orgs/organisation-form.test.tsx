/** The organisation's settings while another person edits them too. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, organisation, problem, server } from '~/shared/testing/server.ts';

const LATER = '2026-11-02T00:00:00.000Z';
const LATEST = '2026-11-03T00:00:00.000Z';

/** Settings that refuse outdated changes; records every change, and those that were saved. */
function holding() {
  const state = { organisation, sent: [] as Record<string, unknown>[], saved: [] as Record<string, unknown>[] };
  server.use(
    http.get('*/v1/organizations', () => list([state.organisation])),
    http.patch(`*/v1/organizations/${ORG}`, async ({ request }) => {
      const { organisation: change } = (await request.json()) as { organisation: Record<string, unknown> };
      state.sent.push(change);
      const older = change.timeModified !== undefined && change.timeModified !== state.organisation.timeModified;
      if (older) return problem(409, 'Changed');
      state.saved.push(change);
      return Response.json({ ...state.organisation, ...change });
    }),
  );
  return state;
}

async function openSettings() {
  const rendered = renderAt(`/org/${ORG}/profile`);
  await screen.findByLabelText('Strapline');
  return rendered;
}

const strapline = (value: string) => fireEvent.change(screen.getByLabelText('Strapline'), { target: { value } });

test('only changed fields are sent', async () => {
  const { sent } = holding();
  const { user } = await openSettings();
  strapline('Clear films');
  fireEvent.change(screen.getByLabelText('Text color'), { target: { value: '#000000' } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(sent).toEqual([
    { description: 'Clear films', theme: { brandTextColor: '#000000' }, timeModified: organisation.timeModified },
  ]);
});

test('saving again sends nothing if nothing has changed', async () => {
  const { sent } = holding();
  const { user } = await openSettings();
  strapline('Clear films');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  strapline('Clearer films');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(sent.map(({ description }) => description)).toEqual(['Clear films', 'Clearer films']);
});

test("another person's pins are not a conflict", async () => {
  const state = holding();
  const { user } = await openSettings();
  state.organisation = { ...organisation, pinnedPlaylists: ['p'], timeModified: LATER };
  strapline('Clear films');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(state.sent.at(-1)).toEqual({ description: 'Clear films', timeModified: LATER });
});

test("another person's settings are overwritten only after a warning", async () => {
  const state = holding();
  const { user } = await openSettings();
  state.organisation = {
    ...organisation,
    description: 'Theirs',
    website: 'https://theirs.example',
    timeModified: LATER,
  };
  strapline('Ours');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Someone else changed these settings.')).toBeVisible();
  // A toast would say the same again, above the button.
  expect(screen.queryByText('Changed')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save anyway' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(state.sent.at(-1)).toEqual({ description: 'Ours', timeModified: LATER });
  expect(screen.getByLabelText('Website')).toHaveValue('https://theirs.example');
  expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled();
});

test('settings that changed again after the warning are not overwritten without another one', async () => {
  const state = holding();
  const { user } = await openSettings();
  state.organisation = { ...organisation, description: 'Second', timeModified: LATER };
  strapline('Ours');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Someone else changed these settings.');
  state.organisation = { ...organisation, description: 'Third', timeModified: LATEST };
  await user.click(screen.getByRole('button', { name: 'Save anyway' }));
  expect(await screen.findByText('Someone else changed these settings again.')).toBeVisible();
  expect(state.saved).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Save anyway' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(state.saved).toEqual([{ description: 'Ours', timeModified: LATEST }]);
});

test('the contact is checked and saved', async () => {
  const { sent } = holding();
  const { user } = await openSettings();
  await user.type(screen.getByLabelText('Email'), 'hello@');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Invalid email!')).toBeVisible();
  // The button is far from most fields.
  expect(screen.getByLabelText('Email')).toHaveFocus();
  expect(sent).toEqual([]);
  await user.type(screen.getByLabelText('Email'), 'northwind.example');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(sent).toEqual([
    {
      contact: { email: 'hello@northwind.example' },
      timeModified: organisation.timeModified,
    },
  ]);
});

test('the time zone is chosen among those that the browser knows', async () => {
  const { sent } = holding();
  const { user } = await openSettings();
  await user.type(screen.getByRole('combobox', { name: 'Time zone' }), 'berl');
  await user.click(await screen.findByRole('option', { name: 'Europe/Berlin' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(sent).toEqual([{ timeZone: 'Europe/Berlin', timeModified: organisation.timeModified }]);
});

test('unsaved changes are kept unless leaving is confirmed', async () => {
  holding();
  const { user } = await openSettings();
  strapline('Clear films');
  expect(screen.getByText('Unsaved changes')).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Audit log' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Unsaved changes' }));
  await user.click(dialog.getByRole('button', { name: 'Stay' }));
  expect(screen.getByLabelText('Strapline')).toHaveValue('Clear films');
  await user.click(screen.getByRole('link', { name: 'Audit log' }));
  await user.click(await screen.findByRole('button', { name: 'Leave without saving' }));
  expect(await screen.findByRole('heading', { name: 'Audit log' })).toBeVisible();
});

test('a joining link is generated for a public organization only', async () => {
  const asked: unknown[] = [];
  server.use(
    http.post('*/v1/organizations/:id/joinUrl', async ({ request }) => {
      asked.push(await request.json());
      return Response.json({ joinUrl: LINK });
    }),
  );
  const { user, unmount } = await openSettings();
  await user.click(screen.getByRole('button', { name: 'Generate joining link' }));
  expect(await screen.findByText('Join Url generated successfully!')).toBeVisible();
  expect(screen.getByLabelText('Join URL')).toHaveValue(LINK);
  expect(screen.queryByRole('button', { name: 'Generate joining link' })).toBeNull();
  expect(asked).toEqual([{ rotate: false }]);
  unmount();
  server.use(http.get('*/v1/organizations', () => list([{ ...organisation, privacy: 'unlisted' }])));
  await openSettings();
  expect(screen.getByRole('button', { name: 'Generate joining link' })).toBeDisabled();
});

const LINK = 'http://127.0.0.1:8080/app/join/abcdefghijklmnopqrstuv';

test('the joining link is shown as text and QR code, and replaced after a question', async () => {
  const asked: unknown[] = [];
  server.use(
    http.get('*/v1/organizations', () => list([{ ...organisation, publicJoinUrl: LINK }])),
    http.post('*/v1/organizations/:id/joinUrl', async ({ request }) => {
      asked.push(await request.json());
      return Response.json({ joinUrl: `${LINK}-new` });
    }),
  );
  const { user } = await openSettings();
  expect(screen.getByLabelText('Join URL')).toHaveValue(LINK);
  expect(await screen.findByRole('img', { name: `QR code of ${LINK}` })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Replace link' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirmation' }));
  await user.click(dialog.getByRole('button', { name: 'Replace link' }));
  expect(await screen.findByText('Join Url generated successfully!')).toBeVisible();
  expect(screen.getByLabelText('Join URL')).toHaveValue(`${LINK}-new`);
  expect(asked).toEqual([{ rotate: true }]);
});

test('the link is copied without the clipboard API of secure pages too', async () => {
  server.use(http.get('*/v1/organizations', () => list([{ ...organisation, publicJoinUrl: LINK }])));
  const { user } = await openSettings();
  const copied: string[] = [];
  const copy = vi.fn(() => copied.push((document.activeElement as HTMLTextAreaElement).value) > 0);
  document.execCommand = copy;
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as unknown as Clipboard);
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await screen.findByText('Public join URL copied successfully!')).toBeVisible();
  expect(copied).toEqual([LINK]);
  expect(screen.getByRole('button', { name: 'Copy' })).toHaveFocus();
  copy.mockReturnValue(false);
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await screen.findByText('Unable to copy!')).toBeVisible();
  vi.restoreAllMocks();
});

test('what was typed stays when the settings are read again', async () => {
  holding();
  const { user } = await openSettings();
  strapline('Clear films');
  let asked = 0;
  server.use(
    http.get('*/v1/organizations', () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    }),
  );
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() + 60_000);
  // The screens behind links are loaded when they are pointed at.
  await user.hover(screen.getByRole('link', { name: 'Users' }));
  await waitFor(() => expect(asked).toBeGreaterThan(0));
  expect(screen.getByLabelText('Strapline')).toHaveValue('Clear films');
});
