/** Reading a file by ranges, against a server that follows HTTP range semantics. */
import { afterEach, expect, test, vi } from 'vitest';
import { FIRST_PART, PartReader } from './part-reader.ts';

afterEach(() => vi.unstubAllGlobals());

const file = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

interface RangeRequest {
  range: string;
  version: string | null;
}

/** Answers ranges of `bytes`, after `refusals` error responses. */
function serve(bytes: Uint8Array, refusals: (() => Response)[] = []) {
  const asked: RangeRequest[] = [];
  const server = { bytes, version: '"one"' };
  vi.stubGlobal('fetch', async (_address: string, { headers, signal }: RequestInit) => {
    signal?.throwIfAborted();
    const sent = new Headers(headers);
    asked.push({ range: sent.get('Range') ?? '', version: sent.get('If-Range') });
    const refusal = refusals.shift();
    if (refusal !== undefined) return refusal();
    if ((sent.get('If-Range') ?? server.version) !== server.version) return new Response(server.bytes.slice());
    const [, from = 0, to = 0] = (/bytes=(\d+)-(\d+)/.exec(sent.get('Range') ?? '') ?? []).map(Number);
    const end = Math.min(to + 1, server.bytes.length);
    return new Response(server.bytes.slice(from, end), {
      status: 206,
      headers: { ETag: server.version, 'Content-Range': `bytes ${from}-${end - 1}/${server.bytes.length}` },
    });
  });
  return { asked, server };
}

function read(fields: Partial<ConstructorParameters<typeof PartReader>[0]> = {}) {
  const progress: [number, number][] = [];
  const stop = new AbortController();
  const reader = new PartReader({
    address: '/media/g/source',
    onProgress: (loaded, total) => progress.push([loaded, total]),
    signal: stop.signal,
    ...fields,
  });
  return { reader, progress, stop };
}

test('a short file needs one request', async () => {
  const { asked } = serve(file(1000));
  const { reader, progress } = read();
  const { total, start } = await reader.begin();
  expect([total, start]).toEqual([1000, file(1000)]);
  expect(progress).toEqual([[1000, 1000]]);
  expect(asked).toEqual([{ range: `bytes=0-${FIRST_PART - 1}`, version: null }]);
});

test('only the requested ranges of a long file are fetched, all of one version', async () => {
  const bytes = file(FIRST_PART * 4);
  const { asked } = serve(bytes);
  const { reader, progress } = read();
  expect((await reader.begin()).total).toBe(bytes.length);
  expect(await reader.part(500_000, 500_010)).toEqual(bytes.slice(500_000, 500_010));
  expect(asked[1]).toEqual({ range: 'bytes=500000-500009', version: '"one"' });
  expect(progress.at(-1)).toEqual([FIRST_PART + 10, bytes.length]);
});

test('a range of another version is rejected', async () => {
  const { server } = serve(file(FIRST_PART * 2));
  const { reader } = read();
  await reader.begin();
  server.version = '"two"';
  await expect(reader.part(0, 10)).rejects.toThrow('The file has changed.');
});

test('a refused range is retried once with a renewed URL', async () => {
  const { asked } = serve(file(10), [() => new Response(null, { status: 403 })]);
  const renew = vi.fn(async () => ({ expiresIn: 3600 }));
  const { reader } = read({ renew });
  expect((await reader.begin()).total).toBe(10);
  expect(renew).toHaveBeenCalledExactlyOnceWith('/media/g/source');
  expect(asked).toHaveLength(2);
});

test('a lasting network failure and a lasting refusal are reported', async () => {
  serve(file(10), [Response.error, () => new Response(null, { status: 404 })]);
  const { reader } = read({ renew: () => Promise.reject(new Error('no line')) });
  await expect(reader.begin()).rejects.toThrow('The server answered 404.');
});

test('after an abort nothing more is requested', async () => {
  const { asked } = serve(file(10));
  const { reader, stop } = read();
  stop.abort();
  await expect(reader.begin()).rejects.toThrow();
  expect(asked).toEqual([]);
});

test('the known length is used if a cross-origin server hides it', async () => {
  serve(file(10), [() => new Response(file(FIRST_PART), { status: 206 })]);
  const { reader } = read({ size: 5_000_000 });
  expect((await reader.begin()).total).toBe(5_000_000);
});
