/** Hashes a file off the main thread, in slices, so that memory use does not depend on its size. */
import { createMD5 } from 'hash-wasm';

const SLICE = 4 * 1024 * 1024;

/** Messages from the worker to the page. */
export type HashMessage = { done: number } | { checksum: string } | { failed: true };

self.onmessage = async (event: MessageEvent<File>) => {
  const file = event.data;
  try {
    const hasher = await createMD5();
    for (let from = 0; from < file.size; from += SLICE) {
      hasher.update(new Uint8Array(await file.slice(from, from + SLICE).arrayBuffer()));
      send({ done: Math.min(from + SLICE, file.size) });
    }
    send({ checksum: base64(hasher.digest('binary')) });
  } catch {
    send({ failed: true });
  }
};

function send(message: HashMessage): void {
  self.postMessage(message);
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
