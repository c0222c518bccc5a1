/** Answers of the mock server, one after the other. */
import { http } from 'msw';
import { server } from './server.ts';

/** Answers posts to this path in turn, the last answer for good; the list of what was sent grows with each. */
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
