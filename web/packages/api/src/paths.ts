/** Which call takes and answers what; the client is typed by this table. */
import type { paths as Served } from './schema.d.ts';
import type * as W from './wire.ts';

type Given<Key extends string, T> = T extends undefined ? { [K in Key]?: never } : { [K in Key]: T };
type Call<Query, Path, Body, Answer> = {
  parameters: Given<'query', Query> & Given<'path', Path> & { header?: never; cookie?: never };
  responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': Answer } } };
} & ([Body] extends [never] ? { requestBody?: never } : { requestBody: { content: { 'application/json': Body } } });
type Empty = Record<string, never>;
type None = undefined;
interface Id {
  id: string;
}
interface Org {
  orgId: string;
}
interface Paging {
  startAfter?: string;
  limit?: number;
}
interface Span {
  orgId: string;
  startTime: string;
  endTime: string;
  userId?: string;
  unit?: 'days' | 'weeks' | 'months' | 'years';
  tz?: string;
}
type Get<Answer, Path = None, Query = None> = Call<Query, Path, never, Answer>;
type Send<Body, Answer, Path = None, Query = None> = Call<Query, Path, Body, Answer>;

/** Operations outside the generated document. */
interface Further {
  '/v1/auth/sign-up': { post: Send<{ email: string; password: string }, W.SessionOut> };
  '/v1/auth/sign-in': { post: Send<{ email: string; password: string }, W.SessionOut> };
  '/v1/auth/password-resets': { post: Send<{ email: string }, Empty> };
  '/v1/organizations/{id}/dashboard': { get: Get<W.DashboardOut, Id> };
  '/v1/organizations/{id}/users': {
    get: Get<W.List<W.PersonOut> & { total: number }, Id, Paging & { search?: string; admins?: boolean }>;
  };
  '/v1/organizations/{id}/users/consent': { get: Get<W.List<W.ConsentOut>, Id, Paging> };
  '/v1/organizations/{id}/users/me/consent': { patch: Send<{ consent: boolean }, W.ConsentOut, Id> };
  '/v1/organizations/{id}/users/me': { delete: Send<never, Empty, Id> };
  '/v1/invites/{code}': { get: Get<W.InviteOut, { code: string }> };
  '/v1/analytics/watch_time': { get: Get<W.SeriesOut, None, Span> };
  '/v1/analytics/views': { get: Get<W.SeriesOut, None, Span> };
  '/v1/analytics/visits': { get: Get<W.SeriesOut, None, Span> };
  '/v1/analytics/users/{userId}': {
    get: Get<W.UserAnalyticsOut, { userId: string }, Org & { startDate: string; endDate: string }>;
  };
  '/v1/analytics/leads': {
    get: Get<
      W.List<W.LeadOut> & { counts: W.LeadCounts },
      None,
      Org & Paging & { temperature?: string; search?: string }
    >;
  };
  '/v1/events': {
    post: Send<Org & { events: W.EventIn[] }, { accepted: number; rejected: { id: string; reason: string }[] }>;
  };
  '/v1/join/{code}': {
    get: Get<W.JoinOut, { code: string }>;
    post: Send<
      { consent: boolean; noticeVersion?: string },
      { organisation: W.JoinOut['organisation'] },
      { code: string }
    >;
  };
  '/v1/viewer/organizations': { get: Get<W.List<W.ViewerOrganisationOut>> };
}

/** Every operation the client knows; the generated document wins. */
export type paths = Served & Omit<Further, keyof Served>;
