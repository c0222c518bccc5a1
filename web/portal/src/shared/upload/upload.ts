/** The one upload dance: describe the file, ask for an ingest address, send the bytes, wait until they are taken. */
import { ApiProblem, answerOf, type FileDescription, statusOf, type UploadOut } from '@vitrine/api';
import { api } from '../api/client.ts';
import { delays, wait } from '../lib/retry.ts';
import { hashFile } from './hash.ts';
import { putFile, type Transfer } from './put.ts';
import { RESUMABLE_FROM, sendResumable } from './resumable.ts';

/** What is going on, for the progress line. */
export type UploadPhase =
  | { step: 'hashing'; share: number }
  | { step: 'sending'; transfer: Transfer }
  /** The line is cut; sending goes on by itself once it is back. */
  | { step: 'waiting'; transfer: Transfer }
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
  /** Takes the place back when the bytes could not be sent; best effort. Large files keep theirs, to go on later. */
  discard?: (uid: string) => Promise<unknown>;
  /** Goes on with this instead of asking for a new place. */
  begun?: Begun | null;
  /** Told whenever there is more to go on with later. */
  onBegun?: (begun: Begun) => void;
  signal: AbortSignal;
  onPhase: (phase: UploadPhase) => void;
}

/** Said when another file is chosen than the one that was begun. */
export const OTHER_FILE = 'This is not the file that was begun. Choose the same file again.';

/** Repeats of the poll after the bytes are sent (rules section 6.3). */
const POLL_RETRIES = 5;

/** Uploads a file; resolves to its uid once the server has verified it. */
export async function upload(request: UploadRequest): Promise<UploadOut> {
  const { file, signal, onPhase } = request;
  onPhase({ step: 'hashing', share: 0 });
  const checksum = await hashFile(file, signal, (share) => onPhase({ step: 'hashing', share }));
  const { begun, created } = await placeOf(request, checksum);
  await send(request, begun);
  onPhase({ step: 'checking' });
  await untilAvailable(begun.uid, signal);
  return created;
}

/** The place that was given before, or a new one. */
async function placeOf({ file, create, begun, onBegun }: UploadRequest, checksum: string) {
  if (begun) {
    if (begun.checksum !== checksum) throw new ApiProblem(400, OTHER_FILE, 'other_file');
    const { uid, ingest } = begun;
    return { begun, created: { uid, status: 'pending', ingest: { url: ingest, path: '' } } satisfies UploadOut };
  }
  const created = await create({ ...describe(file), checksum });
  if (!created.ingest) throw logged('API did not return ingest object');
  const fresh: Begun = { uid: created.uid, ingest: created.ingest.url, checksum, address: null };
  onBegun?.(fresh);
  return { begun: fresh, created };
}

/** Small files in one go; large ones so that a cut line costs nothing. */
async function send({ file, discard, onBegun, signal, onPhase }: UploadRequest, begun: Begun): Promise<void> {
  let last: Transfer = { sent: 0, total: file.size, speed: 0, secondsLeft: null };
  const onProgress = (transfer: Transfer) => {
    last = transfer;
    onPhase({ step: 'sending', transfer });
  };
  onProgress(last);
  const shared = { url: begun.ingest, file, contentType: describe(file).type, signal, onProgress };
  const large = file.size >= RESUMABLE_FROM;
  try {
    if (!large) return await putFile(shared);
    await sendResumable({
      ...shared,
      known: begun.address,
      onAddress: (address) => onBegun?.({ ...begun, address }),
      onCut: () => onPhase({ step: 'waiting', transfer: { ...last, speed: 0, secondsLeft: null } }),
    });
  } catch (error) {
    // Not awaited: on a dead line it would hold up the message; the server clears what is never sent.
    if (!large) void discard?.(begun.uid).catch(() => undefined);
    if (!signal.aborted) console.error('Upload failed to be ingested', error);
    throw error;
  }
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

async function untilAvailable(uid: string, signal: AbortSignal): Promise<void> {
  for (const pause of [...delays(POLL_RETRIES), null]) {
    const upload = await statusOfUpload(uid);
    if (upload?.status === 'available') return;
    if (upload?.status === 'rejected') throw logged('Upload was rejected', upload.message ?? upload.reason);
    if (pause === null) break;
    await wait(pause, signal);
  }
  throw logged('Upload not available');
}

async function statusOfUpload(uid: string): Promise<UploadOut | null> {
  try {
    return await answerOf(api.GET('/v1/uploads/{uid}', { params: { path: { uid } } }));
  } catch (error) {
    if (statusOf(error) === 401 || statusOf(error) === 403) throw error;
    return null;
  }
}

/** The specification wants these in the log; people see a sentence of the screen. */
function logged(text: string, reason?: string | null): ApiProblem {
  console.error(text, reason ?? '');
  return new ApiProblem(500, reason ?? text, 'upload');
}
