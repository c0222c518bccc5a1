/** The MD5 of a file, in base64. */
import { ApiProblem } from '@vitrine/api';
import { commonTexts } from '../lib/texts.ts';
import type { HashMessage } from './md5.worker.ts';

/** Hashes the file in a worker; `onProgress` receives the fraction done, 0 to 1. */
export function hashFile(file: File, signal: AbortSignal, onProgress: (share: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./md5.worker.ts', import.meta.url), { type: 'module' });
    const stop = () => {
      worker.terminate();
      reject(signal.reason);
    };
    const fail = () => {
      worker.terminate();
      reject(unreadable(file));
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    worker.onerror = fail;
    worker.onmessage = ({ data }: MessageEvent<HashMessage>) => {
      if ('done' in data) onProgress(file.size === 0 ? 1 : data.done / file.size);
      else if ('failed' in data) fail();
      else {
        signal.removeEventListener('abort', stop);
        worker.terminate();
        resolve(data.checksum);
      }
    };
    worker.postMessage(file);
  });
}

/** The file was moved, changed or removed after it was chosen. */
function unreadable({ name }: File): ApiProblem {
  return new ApiProblem(500, commonTexts.cannotReadFile(name), 'unreadable_file');
}
