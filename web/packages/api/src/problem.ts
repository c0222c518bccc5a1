/** The error type of all API calls. */

/** Shown if the server sent no message. */
export const GENERIC_MESSAGE = 'Something went wrong. Try again later!';

/** A failed call: status (500 for a network failure), user message, stable code, messages by field. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Whole seconds to wait before retrying (Retry-After), or null. */
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

  /** Parses an error response of any shape, with defaults for missing parts. */
  static from(status: number, body: unknown, headers?: Headers): ApiProblem {
    const record = isRecord(body) ? body : {};
    const message = typeof record.message === 'string' && record.message !== '' ? record.message : GENERIC_MESSAGE;
    const code = typeof record.code === 'string' ? record.code : 'unknown';
    const retryAfter = headers === undefined ? null : retryAfterOf(headers);
    return new ApiProblem(status, message, code, stringsOf(record.fields), retryAfter);
  }

  /** There was no response: no connection, or the request was aborted. */
  static network(): ApiProblem {
    return new ApiProblem(500, GENERIC_MESSAGE, 'network');
  }
}

/** Thrown if this browser cannot sign in: it blocks storage or lacks a required API. */
export class IdentityNotReady extends ApiProblem {
  constructor() {
    super(500, 'Identity SDK not initialised', 'identity_not_ready');
    this.name = 'IdentityNotReady';
  }
}

/** Returns the message to show for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof ApiProblem ? error.message : GENERIC_MESSAGE;
}

/** Returns the status of any thrown value; 500 by default. */
export function statusOf(error: unknown): number {
  return error instanceof ApiProblem ? error.status : 500;
}

/** Returns the stable code of any thrown value; 'unknown' by default. */
export function codeOf(error: unknown): string {
  return error instanceof ApiProblem ? error.code : 'unknown';
}

/** Returns the seconds of a Retry-After header (number or date), or null. */
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
