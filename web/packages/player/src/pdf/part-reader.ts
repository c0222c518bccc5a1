/** Reads a file part by part, so that a long document is not fetched whole before its first page is seen. */

/** Bytes asked for at first; a shorter file comes with this one question. */
export const FIRST_PART = 256 * 1024;

/** What a reader is given. */
export interface PartReaderOptions {
  address: string;
  /** Length of the file where it is known, in bytes; a server may hide it from pages of another origin. */
  size?: number | undefined;
  /** Prolongs the address; called once for each part that was refused, before it is asked for again. */
  renew?: ((address: string) => Promise<unknown>) | undefined;
  /** Bytes that came so far, and the length of the file. */
  onProgress: (loaded: number, total: number) => void;
  signal: AbortSignal;
}

/** One file behind one address. Each answer must be of the same version as the first one. */
export class PartReader {
  readonly #options: PartReaderOptions;
  #version: string | null = null;
  #total = 0;
  #loaded = 0;

  constructor(options: PartReaderOptions) {
    this.#options = options;
  }

  /** The length of the file and its beginning. */
  async begin(): Promise<{ total: number; start: Uint8Array }> {
    const answer = await this.#ask(0, FIRST_PART);
    const start = new Uint8Array(await answer.arrayBuffer());
    const told = Number(/\/(\d+)$/.exec(answer.headers.get('Content-Range') ?? '')?.[1] ?? Number.NaN);
    const whole = answer.status === 200 || start.length < FIRST_PART;
    this.#version = answer.headers.get('ETag');
    this.#total = whole ? start.length : Number.isFinite(told) ? told : (this.#options.size ?? start.length);
    this.#count(start.length);
    return { total: this.#total, start };
  }

  /** The bytes from `begin` up to, not with, `end`. */
  async part(begin: number, end: number): Promise<Uint8Array> {
    const answer = await this.#ask(begin, end);
    if (answer.status !== 206) throw new Error('The file was changed meanwhile.');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes.length !== end - begin) throw new Error('The file is shorter than it was.');
    this.#count(bytes.length);
    return bytes;
  }

  async #ask(begin: number, end: number): Promise<Response> {
    const { address, renew, signal } = this.#options;
    const headers: Record<string, string> = { Range: `bytes=${begin}-${end - 1}` };
    if (this.#version !== null) headers['If-Range'] = this.#version;
    // What came is kept by whoever asked; the browser's own copy would let one part wait for another.
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
