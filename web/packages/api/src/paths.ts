/** Requests and responses of all calls; types the client. */
import type { paths as Served } from './schema.d.ts';
import type * as W from './wire.ts';

type Answers<Answer> = {
  responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': Answer } } };
};

/** Calls that screens use but the server does not implement yet. */
interface Further {
  '/v1/invites/{code}': {
    get: Answers<W.InviteOut> & { parameters: { path: { code: string } }; requestBody?: never };
  };
}

/** Every operation the client knows; generated types take precedence. */
export type paths = Served & Omit<Further, keyof Served>;
