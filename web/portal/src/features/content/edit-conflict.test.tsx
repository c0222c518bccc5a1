/** Two people edit the same content at the same time. */
import { screen, within } from '@testing-library/react';
import type { ContentOut } from '@vitrine/api';
import { http } from 'msw';
import { expect, test, vi } from 'vitest';
import { video } from '~/shared/testing/content.ts';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { problem, server } from '~/shared/testing/server.ts';
import { EditContentModal } from './parts/edit-content-modal.tsx';

const loaded = video('v', 'Clip', { timeModified: '2026-11-20T06:00:00.000Z' });

/** A server on which the content is `now`, and which compares times as the real one does. */
function holding(now: ContentOut) {
  const state = { now, sent: [] as { title?: string; timeModified?: string }[] };
  server.use(
    http.get('*/v1/content/v', () => Response.json(state.now)),
    http.patch('*/v1/content/v', async ({ request }) => {
      const { content } = (await request.json()) as { content: (typeof state.sent)[number] };
      state.sent.push(content);
      const stale = content.timeModified !== undefined && content.timeModified !== state.now.timeModified;
      if (stale) return problem(409, 'Someone else changed this content. Reload to see the latest version.');
      state.now = { ...state.now, ...content, timeModified: '2026-11-20T09:00:00.000Z' };
      return Response.json(state.now);
    }),
  );
  return state;
}

async function open({ onSaved = async () => undefined }: { onSaved?: () => Promise<void> } = {}) {
  const onClose = vi.fn();
  const { user } = renderPart(
    <EditContentModal
      content={loaded}
      playlistField={null}
      deleteWarning=""
      onDelete={async () => undefined}
      onSaved={onSaved}
      onClose={onClose}
    />,
  );
  const dialog = await screen.findByRole('dialog', { name: 'Edit content' });
  const press = (name: string) => user.click(within(dialog).getByRole('button', { name }));
  const type = (text: string) => user.type(within(dialog).getByLabelText('Title'), text);
  return { dialog, press, type, onClose };
}

test("another person's changes are overwritten only after a warning", async () => {
  const state = holding({ ...loaded, title: 'Theirs', timeModified: '2026-11-20T07:00:00.000Z' });
  const { dialog, press, type, onClose } = await open();
  await type('!');
  await press('Save');
  expect(await within(dialog).findByText('Someone else changed this content.')).toBeVisible();
  expect(await screen.findByText('Someone else changed this content. Reload to see the latest version.')).toBeVisible();
  expect(onClose).not.toHaveBeenCalled();
  await press('Save anyway');
  expect(await screen.findByText('Edited content.')).toBeVisible();
  expect(onClose).toHaveBeenCalledOnce();
  expect(state.sent).toEqual([{ title: 'Clip!', timeModified: loaded.timeModified }, { title: 'Clip!' }]);
});

test('new captions or a new file are not a conflict', async () => {
  const later = '2026-11-20T07:00:00.000Z';
  const state = holding({ ...loaded, timeModified: later, captions: [{ language: 'en', label: 'English', url: 'x' }] });
  const { press, type, onClose } = await open();
  await type('!');
  await press('Save');
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(state.sent.map(({ timeModified }) => timeModified)).toEqual([loaded.timeModified, later]);
  expect(state.now.title).toBe('Clip!');
});

test('a saved item that is not moved yet does not conflict with itself', async () => {
  const state = holding(loaded);
  let moves = 0;
  const { press, type, onClose } = await open({
    onSaved: async () => {
      moves += 1;
      if (moves === 1) throw new Error('no');
    },
  });
  await type('!');
  await press('Save');
  await expect.poll(() => moves).toBe(1);
  await type('?');
  await press('Save');
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(state.sent).toEqual([
    { title: 'Clip!', timeModified: loaded.timeModified },
    { title: 'Clip!?', timeModified: '2026-11-20T09:00:00.000Z' },
  ]);
});
