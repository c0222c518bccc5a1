import type { ContentOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { content, playlist, server } from './server.ts';

interface SentEvents {
  orgId: string;
  appVersion: string;
  events: { kind: string; contentId?: string; playlistId?: string }[];
}

/** Records everything sent to POST /events. */
export function recordEvents(): SentEvents[] {
  const sent: SentEvents[] = [];
  server.use(
    http.post('*/v1/events', async ({ request }) => {
      sent.push((await request.json()) as SentEvents);
      return HttpResponse.json({ accepted: 1, rejected: [] }, { status: 202 });
    }),
  );
  return sent;
}

/** Serves a playlist `one`, by default of the items `a` and `b`. */
export function withItems(items: readonly ContentOut[] = [content('a'), content('b')]): void {
  server.use(
    http.get('*/v1/playlists/one', () =>
      HttpResponse.json(playlist('one', { contact: { email: 'desk@example.com', phoneNumber: '' } })),
    ),
    http.get('*/v1/playlists/one/content', () => HttpResponse.json({ data: items })),
  );
}
