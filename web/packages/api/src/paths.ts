/** Which call takes and answers what; the client is typed by this table. */
import type { paths as Served } from './schema.d.ts';
import type * as W from './wire.ts';

type Answers<Answer> = {
  responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': Answer } } };
};
type NoParameters = { query?: never; path?: never; header?: never; cookie?: never };
type Send<Body, Answer> = Answers<Answer> & {
  parameters: NoParameters;
  requestBody: { content: { 'application/json': Body } };
};

/** Calls whose screens stand and whose server side does not yet. */
interface Further {
  '/v1/auth/sign-up': { post: Send<{ email: string; password: string }, W.SessionOut> };
  '/v1/auth/sign-in': { post: Send<{ email: string; password: string }, W.SessionOut> };
  '/v1/auth/password-resets': { post: Send<{ email: string }, Record<string, never>> };
  '/v1/invites/{code}': {
    get: Answers<W.InviteOut> & { parameters: { path: { code: string } }; requestBody?: never };
  };
}

/** Every operation the client knows; the generated document wins. */
export type paths = Served & Omit<Further, keyof Served>;
