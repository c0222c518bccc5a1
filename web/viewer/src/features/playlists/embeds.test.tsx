/** Framed videos of YouTube and Vimeo resume, and start at a time. */
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { withItems } from '~/shared/testing/items.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { content, progress, server } from '~/shared/testing/server.ts';

const link = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
const description = '0:00 Welcome\n2:00 The middle\n4:00 The end';
const talk = content('talk', { kind: 'embed', type: 'integration', url: link, description });
const begun = { contentId: 'talk', playlistId: 'one', position: 125_000, length: 754_000, seen: false };

async function framed(path: string): Promise<HTMLIFrameElement> {
  signIn();
  withItems([talk]);
  const time = '2026-11-20T06:41:00.000Z';
  server.use(
    http.get('*/v1/organizations/:id/users/me/progress', () =>
      HttpResponse.json(progress({ items: [{ ...begun, time }] })),
    ),
  );
  openApp(path);
  await userEvent.click(await screen.findByRole('button', { name: /^Play Item talk/ }));
  return screen.getByTitle<HTMLIFrameElement>('Item talk');
}

/** Collects the positions that the app saves. */
function savedPlaces(): unknown[] {
  const saved: unknown[] = [];
  server.use(
    http.put('*/v1/organizations/:id/users/me/progress', async ({ request }) => {
      saved.push(...((await request.json()) as { items: unknown[] }).items);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return saved;
}

/** A message of YouTube's frame. */
const report = (frame: HTMLIFrameElement, info: Record<string, number>) =>
  act(async () => {
    const data = JSON.stringify({ event: 'infoDelivery', info });
    const origin = 'https://www.youtube-nocookie.com';
    window.dispatchEvent(new MessageEvent('message', { data, origin, source: frame.contentWindow }));
  });

it('resumes where the person stopped, and shows how long it is', async () => {
  const frame = await framed('/org/north/playlists/one');
  expect(frame.src).toMatch(/&start=125$/);
  expect(screen.getByText(/^Resumed at 2:05/)).toBeVisible();
  expect(screen.getAllByText('Embedded video · 12:34')).toHaveLength(2);
});

it('starts at the time of a shared link, and at a chapter', async () => {
  const frame = await framed('/org/north/playlists/one?item=talk&t=65');
  expect(frame.src).toMatch(/&start=65$/);
  await userEvent.click(screen.getByRole('button', { name: /The middle/ }));
  await waitFor(() => expect(screen.getByTitle<HTMLIFrameElement>('Item talk').src).toMatch(/&start=120$/));
});

it('listens to the frame of a chapter, also when the same chapter is chosen again', async () => {
  const saved = savedPlaces();
  const first = await framed('/org/north/playlists/one');
  await report(first, { playerState: 1, currentTime: 130, duration: 754 });
  await userEvent.click(screen.getByRole('button', { name: /The middle/ }));
  const second = screen.getByTitle<HTMLIFrameElement>('Item talk');
  expect(second).not.toBe(first);
  await userEvent.click(screen.getByRole('button', { name: /The middle/ }));
  const third = screen.getByTitle<HTMLIFrameElement>('Item talk');
  expect(third).not.toBe(second);
  await report(third, { playerState: 1, currentTime: 121, duration: 754 });
  await report(third, { playerState: 2, currentTime: 200 });
  await waitFor(() => expect(saved.at(-1)).toMatchObject({ contentId: 'talk', position: 200_000 }));
});

it('starts over in a new frame that plays at once', async () => {
  const frame = await framed('/org/north/playlists/one');
  await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
  const again = screen.getByTitle<HTMLIFrameElement>('Item talk');
  expect(again).not.toBe(frame);
  expect(again.src).not.toMatch(/start=/);
});

it('saves where it is paused', async () => {
  const saved = savedPlaces();
  const frame = await framed('/org/north/playlists/one');
  await report(frame, { playerState: 1, currentTime: 130, duration: 754 });
  await report(frame, { playerState: 2, currentTime: 300 });
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]).toMatchObject({ contentId: 'talk', position: 300_000, length: 754_000 });
});
