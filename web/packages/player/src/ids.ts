/** Identifiers created in the browser: UUIDv7, which sorts by creation time. */
import { v7 } from 'uuid';

/** Returns a UUIDv7 for `now` (epoch milliseconds), with cryptographically random bits. */
export function uuidv7(now: number): string {
  return v7({ msecs: now });
}
