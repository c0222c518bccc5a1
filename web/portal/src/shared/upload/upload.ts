/** The one upload dance: describe the file, ask for an ingest address, send the bytes, wait until they are taken. */
import { ApiProblem, answerOf, type FileDescription, statusOf, type UploadOut } from '@vitrine/api';
import { api } from '../api/client.ts';
import { delays, wait } from '../lib/retry.ts';
import { hashFile } from './hash.ts';
import { putFile, type Transfer } from './put.ts';

/** What is going on, for the progress line. */
export type UploadPhase =
  | { step: 'hashing'; share: number }
  | { step: 'sending'; transfer: Transfer }
  | { step: 'checking' };

interface UploadRequest {
  file: File;
  /** Asks the server for a place; its answer carries the ingest address. */
  create: (file: FileDescription) => Promise<UploadOut>;
  /** Takes the place back when the bytes could not be sent; best effort. */
  discard?: (uid: string) => Promise<unknown>;
  signal: AbortSignal;
  onPhase: (phase: UploadPhase) => void;
}

/** Repeats of the poll after the bytes are sent (rules section 6.3). */
const POLL_RETRIES = 5;

/** Uploads a file; resolves once the server has verified it. */
export async function upload({ file, create, discard, signal, onPhase }: UploadRequest): Promise<UploadOut> {
  onPhase({ step: 'hashing', share: 0 });
  const checksum = await hashFile(file, signal, (share) => onPhase({ step: 'hashing', share }));
  const description = { ...describe(file), checksum } satisfies FileDescription;
  const created = await create(description);
  if (!created.ingest) throw logged('API did not return ingest object');
  onPhase({ step: 'sending', transfer: { sent: 0, total: file.size, speed: 0, secondsLeft: null } });
  try {
    await putFile({
      url: created.ingest.url,
      file,
      contentType: description.type,
      signal,
      onProgress: (transfer) => onPhase({ step: 'sending', transfer }),
    });
  } catch (error) {
    // Not awaited: on a dead line it would hold up the message; the server clears what is never sent.
    void discard?.(created.uid).catch(() => undefined);
    throw error;
  }
  onPhase({ step: 'checking' });
  await untilAvailable(created.uid, signal);
  return created;
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
    if (upload?.status === 'rejected') throw logged('Upload was rejected', upload.reason);
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
