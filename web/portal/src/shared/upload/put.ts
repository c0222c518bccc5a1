/** Sends raw bytes to an ingest address and reports progress. */
import { ApiProblem, type UploadOut } from '@vitrine/api';

/** Progress of a transfer. */
export interface Transfer {
  sent: number;
  total: number;
  /** Bytes per second, averaged over the transfer so far. */
  speed: number;
  /** Estimated seconds left; null until known. */
  secondsLeft: number | null;
}

interface PutRequest {
  url: string;
  file: File;
  contentType: string;
  signal: AbortSignal;
  onProgress: (transfer: Transfer) => void;
}

/**
 * PUTs the file as is, without token or cookies. Returns the upload as the server reports it, or null if the response
 * cannot be parsed. Uses XMLHttpRequest because fetch reports no upload progress.
 */
export function putFile({ url, file, contentType, signal, onProgress }: PutRequest): Promise<UploadOut | null> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const began = performance.now();
    const stop = () => request.abort();
    const settle = (finish: () => void) => () => {
      signal.removeEventListener('abort', stop);
      finish();
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    request.upload.onprogress = (event) => onProgress(transferOf(event.loaded, file.size, performance.now() - began));
    request.onload = settle(() => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as UploadOut | null);
      else reject(ApiProblem.from(request.status, body, waitOf(request)));
    });
    request.onerror = settle(() => reject(ApiProblem.network()));
    request.onabort = settle(() => reject(signal.reason));
    request.open('PUT', url);
    request.setRequestHeader('Content-Type', contentType);
    request.send(file);
  });
}

/** Returns the progress of a transfer that went from `from` to `sent` bytes in `elapsedMs`. */
export function transferOf(sent: number, total: number, elapsedMs: number, from = 0): Transfer {
  const speed = elapsedMs > 0 ? ((sent - from) / elapsedMs) * 1000 : 0;
  const secondsLeft = speed > 0 && sent > from ? Math.max(0, Math.ceil((total - sent) / speed)) : null;
  return { sent, total, speed, secondsLeft };
}

function waitOf(request: XMLHttpRequest): Headers {
  return new Headers({ 'Retry-After': request.getResponseHeader('Retry-After') ?? '' });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
