/** The one error every call of the API ends in. */

/** Shown when the server gave no message of its own (spec section 8). */
export const GENERIC_MESSAGE = 'Something went wrong. Try again later!';

/** A failed call: status (500 for a network failure), message for people, stable code, messages by field. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Whole seconds to wait before the next try (Retry-After); null where the server named none. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    message: string,
    code = 'unknown',
    fields: Record<string, string> = {},
    retryAfter: number | null = null,
  ) {
    super(message);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }

  /** Reads an error answer of any shape; what is missing gets the given defaults. */
  static from(status: number, body: unknown, headers?: Headers): ApiProblem {
    const record = isRecord(body) ? body : {};
    const message = typeof record.message === 'string' && record.message !== '' ? record.message : GENERIC_MESSAGE;
    const code = typeof record.code === 'string' ? record.code : 'unknown';
    const retryAfter = headers === undefined ? null : retryAfterOf(headers);
    return new ApiProblem(status, message, code, stringsOf(record.fields), retryAfter);
  }

  /** No answer at all: a dead line, or a request that was stopped. */
  static network(): ApiProblem {
    return new ApiProblem(500, GENERIC_MESSAGE, 'network');
  }
}

/** Thrown where this browser has nothing to sign in with: it refuses storage, or lacks what a sign-in needs. */
export class IdentityNotReady extends ApiProblem {
  constructor() {
    super(500, 'Identity SDK not initialised', 'identity_not_ready');
    this.name = 'IdentityNotReady';
  }
}

/** The message to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof ApiProblem ? error.message : GENERIC_MESSAGE;
}

/** The status of anything that was thrown; 500 when it has none. */
export function statusOf(error: unknown): number {
  return error instanceof ApiProblem ? error.status : 500;
}

/** The stable code of anything that was thrown; 'unknown' when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof ApiProblem ? error.code : 'unknown';
}

/** The seconds an answer asks to wait (Retry-After, a number or a date); null where it asks for nothing. */
export function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function stringsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
