/** Which call takes and answers what; the client is typed by this table. */
import type { paths as Served } from './schema.d.ts';
import type * as W from './wire.ts';

type Answers<Answer> = {
  responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': Answer } } };
};

/** Calls whose screens stand and whose server side does not yet. */
interface Further {
  '/v1/invites/{code}': {
    get: Answers<W.InviteOut> & { parameters: { path: { code: string } }; requestBody?: never };
  };
}

/** Every operation the client knows; the generated document wins. */
export type paths = Served & Omit<Further, keyof Served>;
