/** The one upload dance: describe the file, ask for an ingest address, send the bytes, wait until they are taken. */
import {
  ApiProblem,
  answerOf,
  type FileDescription,
  GENERIC_MESSAGE,
  type RetryOptions,
  retrying,
  statusOf,
  type UploadOut,
} from '@vitrine/api';
import { api } from '../api/client.ts';
import { delays, wait } from '../lib/retry.ts';
import { commonTexts } from '../lib/texts.ts';
import { hashFile } from './hash.ts';
import { lineOr, PAUSES } from './line.ts';
import { putFile, type Transfer } from './put.ts';
import { RESUMABLE_FROM, sendResumable } from './resumable.ts';

/** What is going on, for the progress line. */
export type UploadPhase =
  | { step: 'hashing'; share: number }
  | { step: 'sending'; transfer: Transfer }
  /** The line is cut; sending goes on by itself once it is back. */
  | { step: 'waiting'; transfer: Transfer }
  /** The server is busy and asked to wait until then (epoch milliseconds); the upload continues by itself. */
  | { step: 'paused'; until: number; share: number }
  | { step: 'checking' };

/** An upload the server knows of already. */
export interface Begun {
  uid: string;
  /** The ingest address. */
  ingest: string;
  checksum: string;
  /** Where a large file goes on; null before its first byte. */
  address: string | null;
}

interface UploadRequest {
  file: File;
  /** Asks the server for a place; its answer carries the ingest address. */
  create: (file: FileDescription) => Promise<UploadOut>;
  /** Goes on with this instead of asking for a new place. */
  begun?: Begun | null;
  /** Told whenever there is more to go on with later. */
  onBegun?: (begun: Begun) => void;
  signal: AbortSignal;
  onPhase: (phase: UploadPhase) => void;
}

/** Codes of the errors that end an upload for good: its place is worth nothing any more. */
const REJECTED = 'rejected';
/** The server's code for an address whose file has arrived. */
const ARRIVED = 'already_available';

/** An upload waits for a busy server for as long as its person lets it. */
export const PATIENT = { longestS: 300, patienceMs: Number.POSITIVE_INFINITY } satisfies RetryOptions;

/** Repeats of the poll after the bytes are sent (rules section 6.3). */
const POLL_RETRIES = 5;

/** Uploads a file; resolves to its uid once the server has verified it. */
export async function upload(request: UploadRequest): Promise<UploadOut> {
  const { file, signal, onPhase, begun: known } = request;
  // The file may have arrived although its answer was lost; then it is neither read nor sent again.
  if (known && (await hasArrived(known.uid, signal))) return createdOf(known);
  onPhase({ step: 'hashing', share: 0 });
  const checksum = await hashFile(file, signal, (share) => onPhase({ step: 'hashing', share }));
  const { begun, created } = await placeOf(request, checksum);
  await deliver(request, begun);
  return created;
}

/** How the server sees an upload. */
export function readUpload(uid: string): Promise<UploadOut> {
  return answerOf(api.GET('/v1/uploads/{uid}', { params: { path: { uid } } }));
}

/** Whether the server has decided against this upload, so that only a new one can succeed. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || error.code === ARRIVED) return false;
  if (error.code === REJECTED) return true;
  return error.status < 500 && ![401, 408, 429].includes(error.status);
}

const createdOf = ({ uid, ingest }: Begun): UploadOut => ({
  uid,
  status: 'pending',
  ingest: { url: ingest, path: '' },
});

/** The place that was given before, or a new one. */
async function placeOf({ file, create, begun, onBegun, signal, onPhase }: UploadRequest, checksum: string) {
  if (begun) {
    if (begun.checksum !== checksum) throw new ApiProblem(400, commonTexts.differentFile, 'other_file');
    return { begun, created: createdOf(begun) };
  }
  const description = { ...describe(file), checksum };
  const waiting = waitingOf(onPhase, () => ({ step: 'hashing', share: 1 }));
  const created = await retrying(() => create(description), { ...waiting, signal });
  if (!created.ingest) throw logged('API did not return ingest object');
  const fresh: Begun = { uid: created.uid, ingest: created.ingest.url, checksum, address: null };
  onBegun?.(fresh);
  return { begun: fresh, created };
}

/** Sends the bytes until the server has them, through cut lines, lost answers and busy servers. */
async function deliver(request: UploadRequest, begun: Begun): Promise<void> {
  const { file, signal, onPhase } = request;
  const none: Transfer = { sent: 0, total: file.size, speed: 0, secondsLeft: null };
  // Nothing is taken twice: a place whose file has arrived refuses a second one.
  const waiting = { ...waitingOf(onPhase, () => ({ step: 'sending', transfer: none })), signal, repeatable: true };
  let tries = 0;
  for (;;) {
    try {
      const answer = await retrying(() => send(request, begun), waiting);
      if (answer?.status === 'available') return;
    } catch (error) {
      signal.throwIfAborted();
      console.error('Upload failed to be ingested', error);
      if (error instanceof ApiProblem && error.code === ARRIVED) return;
      if (isRefusal(error) && statusOf(error) !== 409) throw error;
      // Whether the bytes arrived is asked, not guessed: it may be the answer alone that was lost.
      if (await hasArrived(begun.uid, signal)) return;
      const pause = PAUSES[tries];
      tries += 1;
      // Large files have tried for long already, and the next try continues where they are.
      if (isRefusal(error) || file.size >= RESUMABLE_FROM || pause === undefined) throw error;
      onPhase({ step: 'waiting', transfer: none });
      await lineOr(pause, signal);
      continue;
    }
    onPhase({ step: 'checking' });
    return untilAvailable(begun.uid, signal);
  }
}

/** Small files in one go; large ones so that a cut line costs nothing. */
async function send({ file, onBegun, signal, onPhase }: UploadRequest, begun: Begun): Promise<UploadOut | null> {
  let last: Transfer = { sent: 0, total: file.size, speed: 0, secondsLeft: null };
  const onProgress = (transfer: Transfer) => {
    last = transfer;
    onPhase({ step: 'sending', transfer });
  };
  onProgress(last);
  const shared = { url: begun.ingest, file, contentType: describe(file).type, signal, onProgress };
  if (file.size < RESUMABLE_FROM) return putFile(shared);
  await sendResumable({
    ...shared,
    known: begun.address,
    onAddress: (address) => onBegun?.({ ...begun, address }),
    onCut: () => onPhase({ step: 'waiting', transfer: { ...last, speed: 0, secondsLeft: null } }),
    waiting: waitingOf(onPhase, () => ({ step: 'sending', transfer: last })),
  });
  return null;
}

/** A browser that knows no type sends the general one. */
function describe(file: File) {
  return {
    name: file.name,
    lastModified: file.lastModified,
    size: file.size,
    type: file.type === '' ? 'application/octet-stream' : file.type,
  };
}

/** Asks once whether the file is there; a server that cannot be asked has not said so. */
async function hasArrived(uid: string, signal: AbortSignal): Promise<boolean> {
  const upload = await ask(uid, signal);
  if (upload?.status === 'rejected') throw rejected(upload);
  return upload?.status === 'available';
}

/** Every byte is acknowledged by now, so that a line that is gone is waited for. */
async function untilAvailable(uid: string, signal: AbortSignal): Promise<void> {
  const polls = delays(POLL_RETRIES);
  for (let tries = 0; ; tries += 1) {
    const upload = await ask(uid, signal);
    if (upload?.status === 'available') return;
    if (upload?.status === 'rejected') throw rejected(upload);
    const pause = polls[tries] ?? (upload === null ? PAUSES[tries - polls.length] : undefined);
    if (pause === undefined) throw logged('Upload not available', commonTexts.stillChecking);
    if (tries < polls.length) await wait(pause, signal);
    else await lineOr(pause, signal);
  }
}

/** Null when there is no answer that says anything. */
async function ask(uid: string, signal: AbortSignal): Promise<UploadOut | null> {
  try {
    return await readUpload(uid);
  } catch (error) {
    signal.throwIfAborted();
    if (statusOf(error) === 401 || statusOf(error) === 403) throw error;
    return null;
  }
}

/** Waits for a busy server as long as it takes, and shows that. */
function waitingOf(onPhase: UploadRequest['onPhase'], current: () => UploadPhase): RetryOptions {
  const onWait = (until: number | null) => {
    const phase = current();
    const share = phase.step === 'sending' ? phase.transfer.sent / phase.transfer.total : 0;
    onPhase(until === null ? phase : { step: 'paused', until, share });
  };
  return { ...PATIENT, onWait };
}

function rejected({ message, reason }: UploadOut): ApiProblem {
  console.error('Upload was rejected', message ?? reason ?? '');
  return new ApiProblem(400, message ?? reason ?? GENERIC_MESSAGE, REJECTED);
}

/** The specification wants these texts in the log alone; people read a sentence of the screen. */
function logged(text: string, sentence = GENERIC_MESSAGE): ApiProblem {
  console.error(text);
  return new ApiProblem(500, sentence, 'upload');
}
