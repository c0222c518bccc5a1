/** Publish and expiry dates in the edit dialog and on cards, in the organisation's time zone. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentOut } from '@vitrine/api';
import { http } from 'msw';
import { expect, test, vi } from 'vitest';
import { CurrentOrgProvider } from '~/features/orgs/current-org.tsx';
import { content, video } from '~/shared/testing/content.ts';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { membership, server } from '~/shared/testing/server.ts';
import { ContentCard } from './parts/content-card.tsx';
import { EditContentModal } from './parts/edit-content-modal.tsx';

const member = membership('superAdmin');
const berlin = { ...member, organisation: { ...member.organisation, timeZone: 'Europe/Berlin' } };

/** Opens the dialog; the server records each change and answers with what `answer` makes of it. */
async function open(item: ContentOut, answer: () => Response = () => Response.json(item)) {
  const sent: Record<string, unknown>[] = [];
  server.use(
    http.patch('*/v1/content/v', async ({ request }) => {
      const { content: changes } = (await request.json()) as { content: Record<string, unknown> };
      sent.push(changes);
      return answer();
    }),
  );
  const onClose = vi.fn();
  const { user } = renderPart(
    <CurrentOrgProvider membership={berlin}>
      <EditContentModal
        content={item}
        playlistField={null}
        deleteWarning=""
        onDelete={async () => undefined}
        onSaved={async () => undefined}
        onClose={onClose}
      />
    </CurrentOrgProvider>,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit content' }));
  const set = (label: string, value: string) => fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  const save = () => user.click(dialog.getByRole('button', { name: 'Save' }));
  return { dialog, user, set, save, sent, onClose };
}

test('dates are set on the clock of the organisation, which is named', async () => {
  const { dialog, set, save, sent, onClose } = await open(video('v', 'Clip'));
  expect(dialog.getAllByText(/Time zone: Europe\/Berlin/)).toHaveLength(2);
  set('Publish at', '2026-12-01T09:00');
  set('Expire at', '2027-07-01T18:30');
  await save();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent).toEqual([
    {
      publishAt: '2026-12-01T08:00:00.000Z',
      expireAt: '2027-07-01T16:30:00.000Z',
      timeModified: '2026-11-20T06:00:00.000Z',
    },
  ]);
});

test('downloads are allowed with a switch, which embedded videos do not have', async () => {
  const { dialog, user, save, sent } = await open(content('v', 'Talk', { kind: 'video', downloadable: false }));
  await user.click(dialog.getByRole('switch', { name: /^Allow download/ }));
  await save();
  await waitFor(() => expect(sent).toEqual([{ downloadable: true, timeModified: '2026-11-20T06:00:00.000Z' }]));
});

test('an embedded video has no such switch', async () => {
  const { dialog } = await open(video('v', 'Clip'));
  expect(dialog.queryByRole('switch', { name: /^Allow download/ })).toBeNull();
});

test('a stored date is shown and can be cleared', async () => {
  const item = video('v', 'Clip', { publishAt: '2026-12-01T08:00:00.000Z' });
  const { dialog, user, save, sent } = await open(item);
  expect(dialog.getByLabelText('Publish at')).toHaveValue('2026-12-01T09:00');
  await user.click(dialog.getByRole('button', { name: 'Clear “Publish at”' }));
  expect(dialog.getByLabelText('Publish at')).toHaveValue('');
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ publishAt: null });
  expect(sent[0]).not.toHaveProperty('expireAt');
});

test('an expiry before the publication is refused under its field', async () => {
  const { dialog, set, save, sent } = await open(video('v', 'Clip'));
  set('Publish at', '2026-12-02T09:00');
  set('Expire at', '2026-12-01T09:00');
  await save();
  expect(await dialog.findByText('The expiry date must be after the publish date.')).toBeVisible();
  expect(sent).toEqual([]);
});

test('what the server says about a date is shown under its field', async () => {
  const refused = () =>
    Response.json(
      {
        status: 400,
        code: 'expires_before_published',
        message: 'Invalid',
        fields: { expireAt: 'It expires too early.' },
      },
      { status: 400 },
    );
  const { dialog, set, save } = await open(video('v', 'Clip'), refused);
  set('Expire at', '2026-12-01T09:00');
  await save();
  expect(await dialog.findByText('It expires too early.')).toBeVisible();
});

test('cards tell why people do not see an item now', () => {
  const dates = { publishAt: '2026-12-01T08:00:00.000Z', expireAt: '2026-12-24T18:00:00.000Z' };
  const card = (now: string) => (
    <ContentCard content={content('v', 'Clip', dates)} selected={false} now={Date.parse(now)} onSelect={vi.fn()} />
  );
  const { show } = renderPart(card('2026-11-30T00:00:00Z'));
  expect(screen.getByText('Scheduled')).toBeVisible();
  show(card('2026-12-10T00:00:00Z'));
  expect(screen.queryByText('Scheduled')).toBeNull();
  show(card('2027-01-01T00:00:00Z'));
  expect(screen.getByText('Expired')).toBeVisible();
});
