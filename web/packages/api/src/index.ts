/** Public API of the package: client, errors and wire types. */
export { type Api, type ApiOptions, answerOf, createApi, isAborted, listOf } from './client.ts';
export { ApiProblem, codeOf, GENERIC_MESSAGE, IdentityNotReady, messageOf, statusOf } from './problem.ts';
export { createSessionStore, type Origin, type SessionStore } from './session-store.ts';
export { createSignOuts, type SignOuts } from './sign-out.ts';
export { type RetryOptions, retrying, waits } from './waiting.ts';
export type * from './wire.ts';
