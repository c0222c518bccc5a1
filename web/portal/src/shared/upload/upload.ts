/** The upload protocol: describe the file, get an ingest address, send the bytes, wait until they are verified. */
import {
  ApiProblem,
  answerOf,
  type FileIn,
  GENERIC_MESSAGE,
  type RetryOptions,
  retrying,
  statusOf,
  type UploadOut,
} from '@vitrine/api';
import { api } from '../api/client.ts';
import { delays, wait } from '../lib/retry.ts';
import { commonTexts } from '../lib/texts.ts';
import { PAUSES, untilOnline } from './connection.ts';
import { hashFile } from './hash.ts';
import { putFile, type Transfer } from './put.ts';
import { RESUMABLE_FROM, sendResumable } from './resumable.ts';

/** The current phase, for the progress display. */
export type UploadPhase =
  | { step: 'hashing'; share: number }
  | { step: 'sending'; transfer: Transfer }
  /** The connection was lost; sending resumes automatically. */
  | { step: 'waiting'; transfer: Transfer }
  /** The server is busy and asked to wait until then (epoch milliseconds); the upload continues automatically. */
  | { step: 'paused'; until: number; share: number }
  | { step: 'checking' };

/** An upload the server has already created. */
export interface Begun {
  uid: string;
  /** The ingest address. */
  ingest: string;
  checksum: string;
  /** The tus URL of a large file; null before its first byte. */
  address: string | null;
}

interface UploadRequest {
  file: File;
  /** Creates the upload at the server; the response has the ingest address. */
  create: (file: FileIn) => Promise<UploadOut>;
  /** An upload to resume instead of creating one. */
  begun?: Begun | null;
  /** Called whenever there is new state to resume from. */
  onBegun?: (begun: Begun) => void;
  signal: AbortSignal;
  onPhase: (phase: UploadPhase) => void;
}

/** Code of an error that ends an upload for good. */
const REJECTED = 'rejected';
/** The server's code for an upload that already has its file. */
const ARRIVED = 'already_available';

/** An upload waits for a busy server until it is cancelled. */
export const PATIENT = { longestS: 300, patienceMs: Number.POSITIVE_INFINITY } satisfies RetryOptions;

/** Status polls after the first, once the bytes are sent. */
const POLL_RETRIES = 5;

/** Uploads a file; resolves once the server has verified it. */
export async function upload(request: UploadRequest): Promise<UploadOut> {
  const { file, signal, onPhase, begun: known } = request;
  // The file may have arrived although the response was lost; then there is nothing to send.
  if (known && (await hasArrived(known.uid, signal))) return createdOf(known);
  onPhase({ step: 'hashing', share: 0 });
  const checksum = await hashFile(file, signal, (share) => onPhase({ step: 'hashing', share }));
  const { begun, created } = await beginOrResume(request, checksum);
  await deliver(request, begun);
  return created;
}

/** Reads the state of an upload. */
export function readUpload(uid: string): Promise<UploadOut> {
  return answerOf(api.GET('/v1/uploads/{uid}', { params: { path: { uid } } }));
}

/** Returns whether the server refused this upload for good, so that only a new one can succeed. */
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

async function beginOrResume({ file, create, begun, onBegun, signal, onPhase }: UploadRequest, checksum: string) {
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

/** Sends the bytes until the server has them, despite lost connections, lost responses and busy servers. */
async function deliver(request: UploadRequest, begun: Begun): Promise<void> {
  const { file, signal, onPhase } = request;
  const none: Transfer = { sent: 0, total: file.size, speed: 0, secondsLeft: null };
  // Safe to repeat: an upload that has its file refuses a second one.
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
      // Ask whether the bytes arrived: only the response may have been lost.
      if (await hasArrived(begun.uid, signal)) return;
      const pause = PAUSES[tries];
      tries += 1;
      // Resumable uploads have already retried, and the person can resume them.
      if (isRefusal(error) || file.size >= RESUMABLE_FROM || pause === undefined) throw error;
      onPhase({ step: 'waiting', transfer: none });
      await untilOnline(pause, signal);
      continue;
    }
    onPhase({ step: 'checking' });
    return untilAvailable(begun.uid, signal);
  }
}

/** Sends small files in one request and large ones resumably. */
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

/** Describes the file; an unknown type is sent as application/octet-stream. */
function describe(file: File) {
  return {
    name: file.name,
    lastModified: file.lastModified,
    size: file.size,
    type: file.type === '' ? 'application/octet-stream' : file.type,
  };
}

/** Asks once whether the file has arrived; false if the server cannot be reached. */
async function hasArrived(uid: string, signal: AbortSignal): Promise<boolean> {
  const upload = await ask(uid, signal);
  if (upload?.status === 'rejected') throw rejected(upload);
  return upload?.status === 'available';
}

/** Polls until the file is verified. All bytes are acknowledged, so it waits out a lost connection. */
async function untilAvailable(uid: string, signal: AbortSignal): Promise<void> {
  const polls = delays(POLL_RETRIES);
  for (let tries = 0; ; tries += 1) {
    const upload = await ask(uid, signal);
    if (upload?.status === 'available') return;
    if (upload?.status === 'rejected') throw rejected(upload);
    const pause = polls[tries] ?? (upload === null ? PAUSES[tries - polls.length] : undefined);
    if (pause === undefined) throw logged('Upload not available', commonTexts.stillChecking);
    if (tries < polls.length) await wait(pause, signal);
    else await untilOnline(pause, signal);
  }
}

/** Returns null if the server gave no usable response. */
async function ask(uid: string, signal: AbortSignal): Promise<UploadOut | null> {
  try {
    return await readUpload(uid);
  } catch (error) {
    signal.throwIfAborted();
    if (statusOf(error) === 401 || statusOf(error) === 403) throw error;
    return null;
  }
}

/** Retry options that wait for a busy server without limit and report the pause. */
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

/** Logs the technical text; people see `sentence`. */
function logged(text: string, sentence = GENERIC_MESSAGE): ApiProblem {
  console.error(text);
  return new ApiProblem(500, sentence, 'upload');
}
