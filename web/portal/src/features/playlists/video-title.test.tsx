/** Adding a video: its title at the host is suggested, and never replaces what a person typed. */
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, playlist, problem, server } from '~/shared/testing/server.ts';

/** The host answers with the title of a URL once it is released. */
function host(titles: Readonly<Record<string, string>>) {
  const asked: unknown[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.use(
    http.get('*/v1/playlists/p', () => Response.json(playlist('p', 'Talks'))),
    http.get('*/v1/playlists/p/content', () => list([])),
    http.post('*/v1/content/embeds/lookup', async ({ request }) => {
      const body = (await request.json()) as { url: string };
      asked.push(body);
      await released;
      return Response.json({ title: titles[body.url] ?? null });
    }),
  );
  return { asked, release };
}

async function open() {
  const { user } = renderAt(`/org/${ORG}/playlists/p?add=url`);
  const wizard = within(await screen.findByRole('dialog', { name: 'Add video' }));
  const press = (button: string) => user.click(wizard.getByRole('button', { name: button }));
  const enter = async (url: string) => {
    await user.clear(wizard.getByLabelText('Video URL'));
    await user.type(wizard.getByLabelText('Video URL'), url);
    await press('Next');
  };
  return { user, wizard, press, enter, title: () => wizard.getByLabelText('Title') };
}

const FIRST = 'https://youtu.be/dQw4w9WgXcQ';
const SECOND = 'https://vimeo.com/76979871';

test('the title at the host is suggested once it is there', async () => {
  const { asked, release } = host({ [FIRST]: 'A talk' });
  const { enter, title, press, wizard } = await open();
  await enter(` ${FIRST} `);
  expect(title()).toHaveValue('');
  expect(title()).toHaveAttribute('placeholder', 'Looking up the title...');
  await press('Next');
  expect(wizard.getByText('Title is required')).toBeVisible();
  release();
  await waitFor(() => expect(title()).toHaveValue('A talk'));
  expect(wizard.queryByText('Title is required')).toBeNull();
  expect(title()).not.toHaveAttribute('placeholder');
  expect(asked).toEqual([{ orgId: ORG, url: FIRST }]);
});

test('a title that was typed meanwhile stays, also for another URL', async () => {
  const { asked, release } = host({ [FIRST]: 'A talk', [SECOND]: 'Another' });
  const { user, enter, title, press } = await open();
  await enter(FIRST);
  await user.type(title(), 'Mine');
  release();
  await waitFor(() => expect(title()).not.toHaveAttribute('placeholder'));
  expect(title()).toHaveValue('Mine');
  await press('Back');
  await enter(SECOND);
  expect(title()).toHaveValue('Mine');
  expect(asked).toHaveLength(1);
});

test('a suggested title goes with its URL', async () => {
  const { release } = host({ [FIRST]: 'A talk', [SECOND]: 'Another' });
  release();
  const { enter, title, press } = await open();
  await enter(FIRST);
  await waitFor(() => expect(title()).toHaveValue('A talk'));
  await press('Back');
  await enter(SECOND);
  await waitFor(() => expect(title()).toHaveValue('Another'));
  await press('Back');
  await enter('https://vimeo.com/1');
  await waitFor(() => expect(title()).not.toHaveAttribute('placeholder'));
  expect(title()).toHaveValue('');
});

test('without an answer the title is typed, and nothing complains', async () => {
  host({});
  server.use(http.post('*/v1/content/embeds/lookup', () => problem(429, 'Too many requests. Please wait a moment.')));
  const { enter, title } = await open();
  await enter(FIRST);
  await waitFor(() => expect(title()).not.toHaveAttribute('placeholder'));
  expect(title()).toHaveValue('');
  expect(screen.queryByText(/Too many requests/)).toBeNull();
});
