// A large file over an unreliable connection, sent by an independent client: it resumes where it stopped.
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { BadLine, send } from "./peers/tus.ts";
import { Caller, type Seeded, seed } from "./support/seed.ts";
import type { Server } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const mega = 1_000_000;
let seeded: Seeded;

test.beforeAll(async ({ server }) => {
  seeded = await seed(server, 0);
});

/** MD5 computed by openssl, in base64. */
function openssl(bytes: Buffer): string {
  return execFileSync("openssl", ["md5", "-binary"], { input: bytes, maxBuffer: 1024 }).toString("base64");
}

interface Announced {
  uid: string;
  ingest: { url: string };
}

async function announce(server: Server, bytes: Buffer): Promise<Announced> {
  const file = { name: "film.bin", size: bytes.length, type: "application/octet-stream", checksum: openssl(bytes) };
  return await new Caller(server, seeded.owner.token).call<Announced>("POST", "/v1/content", {
    content: { title: "A large film", privacy: "public" },
    orgId: seeded.org,
    file,
    notifyUsers: false,
  });
}

/** Checks that the server reports and serves exactly what was sent. */
async function holds(server: Server, uid: string, bytes: Buffer): Promise<void> {
  const api = new Caller(server, seeded.owner.token);
  expect((await api.call<{ status: string }>("GET", `/v1/uploads/${uid}`)).status).toBe("available");
  const report = await api.call<{ served: { received: object } }>("GET", `/v1/content/${uid}/upload`);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(report.served.received).toMatchObject({ size: bytes.length, checksum: openssl(bytes), sha256 });
  const { url } = await api.call<{ url: string }>("GET", `/v1/content/${uid}`);
  const stored = Buffer.from(await (await fetch(url)).arrayBuffer());
  expect(stored.equals(bytes)).toBe(true);
}

test("80 MB over a connection that is cut three times arrive intact", async ({ server }) => {
  const bytes = randomBytes(80 * mega);
  const { uid, ingest } = await announce(server, bytes);
  const line = await BadLine.to(server.url, [
    { after: 20 * mega, how: "both" },
    { after: 45 * mega, how: "silently" },
    { after: 70 * mega, how: "both" },
  ]);
  const { retries } = await send(line.url, ingest.url, bytes);
  line.close();
  expect(line.cuts).toBe(3);
  expect(retries).toBeGreaterThanOrEqual(3);
  // Data received before a cut is not sent again, except what was in flight: the kernel may hold several MB of each
  // connection. Starting over after each cut would send 70 MB again.
  expect(line.passed).toBeLessThan(bytes.length + 40 * mega);
  await holds(server, uid, bytes);
});

test("small chunks over a cut connection arrive intact", async ({ server }) => {
  const bytes = randomBytes(10 * mega + 7);
  const { uid, ingest } = await announce(server, bytes);
  const line = await BadLine.to(server.url, [{ after: 4 * mega, how: "both" }]);
  await send(line.url, ingest.url, bytes, { chunkSize: 700_000 });
  line.close();
  expect(line.cuts).toBe(1);
  await holds(server, uid, bytes);
});

test("an upload survives a killed server", async ({ server }) => {
  const bytes = randomBytes(80 * mega);
  const { uid, ingest } = await announce(server, bytes);
  let killed: Promise<void> | undefined;
  let wentOnAt = bytes.length;
  const progress = (sent: number): void => {
    if (killed) wentOnAt = Math.min(wentOnAt, sent);
    if (sent > 50 * mega) killed ??= server.kill().then(() => server.launch());
  };
  await send(server.url, ingest.url, bytes, { progress });
  expect(killed).toBeDefined();
  await killed;
  // A crash loses only what arrived since the last 32 MiB.
  expect(wentOnAt).toBeGreaterThanOrEqual(32 * 1024 * 1024);
  await holds(server, uid, bytes);
});
