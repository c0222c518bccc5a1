// What journeys of content and uploads share: files of every kind, and the portal's dialogs around them.
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { Caller, type Person } from "./seed.ts";
import type { Server } from "./server.ts";
import { expect } from "./test.ts";

const media = resolve(import.meta.dirname, "../../target/media");
export const film = join(media, "phone.mp4");
export const sound = join(media, "sound.mp3");

/** The smallest document with one empty page. */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

/** A file of that content in a folder of its own; its path. */
export async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "vitrine-file-")), name);
  await writeFile(path, content);
  return path;
}

export const documentFile = (): Promise<string> => fileOf("figures.pdf", pdf);

/** Bytes nobody can guess, so many of them. */
export const largeFile = (name: string, size: number): Promise<string> => fileOf(name, randomBytes(size));

/** MD5 as openssl finds it, in base64. */
export function openssl(path: string): string {
  return execFileSync("openssl", ["md5", "-binary", path]).toString("base64");
}

export interface Item {
  uid: string;
  title: string;
  type: string;
  kind: string;
  url: string;
  hlsUrl: string;
  processing: string;
}

/** What stands in a playlist. */
export async function itemsOf(server: Server, person: Person, playlist: string): Promise<Item[]> {
  const answer = await new Caller(server, person.token).call<{ data: Item[] }>("GET", `/v1/playlists/${playlist}/content`);
  return answer.data;
}

/** A playlist of that title, made without the portal. */
export async function playlistOf(
  server: Server,
  person: Person,
  org: string,
  title: string,
  items: string[] = [],
): Promise<string> {
  const playlist = { title, description: "", privacy: "public", items };
  const made = await new Caller(server, person.token).call<{ uid: string }>("POST", "/v1/playlists", {
    playlist,
    orgId: org,
  });
  return made.uid;
}

/** An embedded film of that title, made without the portal. */
export async function videoOf(server: Server, person: Person, org: string, title: string): Promise<string> {
  const made = await new Caller(server, person.token).call<{ uid: string }>("POST", "/v1/content", {
    content: { title, privacy: "public", url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" },
    orgId: org,
    file: null,
    notifyUsers: false,
  });
  return made.uid;
}

/** The server gives back exactly what lies in the file. */
export async function holds(item: Item, path: string): Promise<void> {
  const stored = Buffer.from(await (await fetch(item.url)).arrayBuffer());
  const sum = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
  expect(sum(stored)).toBe(sum(await readFile(path)));
}

/** Opens the wizard of files from the menu of the screen that is shown. */
export async function openFiles(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("menuitem", { name: "Add file" }).click();
  return page.getByRole("dialog", { name: "Add file" });
}

/** Walks through the wizard with one file, up to the button that sends. */
export async function upToUpload(wizard: Locator, path: string, title: string): Promise<void> {
  await wizard.locator('input[type="file"]').setInputFiles(path);
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await wizard.getByLabel("Title").fill(title);
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
}

/** The panel of uploads. */
export const panelOf = (page: Page): Locator => page.getByRole("region", { name: "Uploads" });

/** Nothing is wider than the window. */
export async function fits(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(over).toBeLessThanOrEqual(0);
}
