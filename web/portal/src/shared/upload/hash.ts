/** The md5 of a file, in base64. */
import type { HashMessage } from './md5.worker.ts';

/** Reads the whole file in a worker; `onProgress` gets the share done, 0 to 1. */
export function hashFile(file: File, signal: AbortSignal, onProgress: (share: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./md5.worker.ts', import.meta.url), { type: 'module' });
    const stop = () => {
      worker.terminate();
      reject(signal.reason);
    };
    const fail = () => {
      worker.terminate();
      reject(new Error(`Cannot read file ${file.name}`));
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
