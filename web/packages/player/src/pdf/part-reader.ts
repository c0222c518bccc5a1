/** Reads a file by ranges, so that the first page shows before the whole document is fetched. */

/** Size of the first request in bytes; a shorter file needs only this one. */
export const FIRST_PART = 256 * 1024;

export interface PartReaderOptions {
  address: string;
  /** Length of the file in bytes if known; a cross-origin server may hide it. */
  size?: number | undefined;
  /** Renews the URL; called once per refused range, before it is retried. */
  renew?: ((address: string) => Promise<unknown>) | undefined;
  /** Receives the bytes loaded so far and the length of the file. */
  onProgress: (loaded: number, total: number) => void;
  signal: AbortSignal;
}

/** One file at one URL. Every response must have the version of the first. */
export class PartReader {
  readonly #options: PartReaderOptions;
  #version: string | null = null;
  #total = 0;
  #loaded = 0;

  constructor(options: PartReaderOptions) {
    this.#options = options;
  }

  /** Reads the length and the first bytes of the file. */
  async begin(): Promise<{ total: number; start: Uint8Array }> {
    const answer = await this.#ask(0, FIRST_PART);
    const start = new Uint8Array(await answer.arrayBuffer());
    const reported = Number(/\/(\d+)$/.exec(answer.headers.get('Content-Range') ?? '')?.[1] ?? Number.NaN);
    const whole = answer.status === 200 || start.length < FIRST_PART;
    this.#version = answer.headers.get('ETag');
    this.#total = whole ? start.length : Number.isFinite(reported) ? reported : (this.#options.size ?? start.length);
    this.#count(start.length);
    return { total: this.#total, start };
  }

  /** Reads the bytes from `begin` up to but excluding `end`. */
  async part(begin: number, end: number): Promise<Uint8Array> {
    const answer = await this.#ask(begin, end);
    if (answer.status !== 206) throw new Error('The file has changed.');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes.length !== end - begin) throw new Error('The file is shorter than it was.');
    this.#count(bytes.length);
    return bytes;
  }

  async #ask(begin: number, end: number): Promise<Response> {
    const { address, renew, signal } = this.#options;
    const headers: Record<string, string> = { Range: `bytes=${begin}-${end - 1}` };
    if (this.#version !== null) headers['If-Range'] = this.#version;
    // pdf.js caches the ranges; the browser's cache would serialize requests for the same URL.
    const ask = () => fetch(address, { headers, signal, cache: 'no-store' });
    const first = await ask().catch((error: unknown) => {
      if (signal.aborted) throw error;
      return null;
    });
    if (first?.ok) return first;
    await renew?.(address).catch(() => undefined);
    const second = await ask();
    if (!second.ok) throw new Error(`The server answered ${second.status}.`);
    return second;
  }

  #count(bytes: number): void {
    this.#loaded = Math.min(this.#loaded + bytes, this.#total);
    this.#options.onProgress(this.#loaded, this.#total);
  }
}
