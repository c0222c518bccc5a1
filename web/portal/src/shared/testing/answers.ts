/** Scripted answers of the mock server. */
import { http } from 'msw';
import { server } from './server.ts';

/** Answers POSTs to the path in turn, repeating the last answer; the returned list collects the request bodies. */
export function answers(path: string, ...replies: (() => Response)[]): unknown[] {
  const sent: unknown[] = [];
  server.use(
    http.post(path, async ({ request }) => {
      sent.push(await request.json());
      return (replies[Math.min(sent.length, replies.length) - 1] ?? Response.error)();
    }),
  );
  return sent;
}
