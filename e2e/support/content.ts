// Shared by the journeys of content and uploads: a server with data, and the portal's dialogs.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { CDPSession, Locator, Page } from "@playwright/test";
import { Caller, embed, type Seeded, seed, send } from "./seed.ts";
import { Server } from "./server.ts";
import { expect, test } from "./test.ts";
import { CuttableWire } from "./wire.ts";

/** A server with an organisation, and the URLs of its content screens. */
export interface TestApp {
  server: Server;
  seeded: Seeded;
  api: Caller;
  at: (path?: string) => string;
  /** The address browsers use. */
  wire: CuttableWire;
}

/**
 * Starts a server for all tests of this file; other journeys seed their own. An undefined setting has its default.
 */
export function testApp(settings: Record<string, string | undefined> = {}): TestApp {
  const all: Partial<TestApp> = {};
  test.beforeAll(async () => {
    all.wire = await CuttableWire.lay();
    const { url } = all.wire;
    const server = await Server.start({ VITRINE_PUBLIC_URL: url, ...settings });
    all.wire.to(server.url);
    // It only answers to its public address.
    all.server = Object.create(server, { url: { value: url } }) as Server;
    all.seeded = await seed(all.server, 1);
    all.api = new Caller(all.server, all.seeded.owner.token);
    all.at = (path = "") => `${all.server!.url}/org/${all.seeded!.org}/playlists${path}`;
  });
  test.afterAll(async () => {
    all.wire?.remove();
    await all.server?.stop();
  });
  return all as TestApp;
}

/** MD5 computed by openssl, in base64, of a file or of stdin. */
export function openssl(path: string | Buffer): string {
  const sum =
    typeof path === "string"
      ? execFileSync("openssl", ["md5", "-binary", path])
      : execFileSync("openssl", ["md5", "-binary"], { input: path });
  return sum.toString("base64");
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

/** Returns the titles of a playlist's items. */
export async function itemsOf({ api }: TestApp, playlist: string): Promise<Item[]> {
  return (await api.call<{ data: Item[] }>("GET", `/v1/playlists/${playlist}/content`)).data;
}

/** Creates a playlist through the API. */
export async function playlistOf({ api, seeded }: TestApp, title: string, items: string[] = []): Promise<string> {
  const playlist = { title, description: "", privacy: "public", items };
  return (await api.call<{ uid: string }>("POST", "/v1/playlists", { playlist, orgId: seeded.org })).uid;
}

/** Creates an embedded video through the API. */
export const videoOf = ({ api, seeded }: TestApp, title: string): Promise<string> => embed(api, seeded.org, title);

/** Creates content from a file through the API. */
export async function sent({ api, seeded }: TestApp, path: string, title: string, type: string): Promise<string> {
  return send(api, seeded.org, { bytes: await readFile(path), name: basename(path), type, title });
}

/** Checks that the server serves exactly the file, and that its checksum matches openssl's. */
export async function holds({ api }: TestApp, item: Item, path: string): Promise<void> {
  const stored = Buffer.from(await (await fetch(item.url)).arrayBuffer());
  const sum = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
  expect(sum(stored)).toBe(sum(await readFile(path)));
  expect(openssl(stored)).toBe(openssl(path));
  expect(await received(api, item.uid)).toBe(openssl(path));
}

/** The MD5 the server computed, in base64. */
export async function received(api: Caller, uid: string): Promise<string> {
  const report = await api.call<{ served: { received: { checksum: string } } }>("GET", `/v1/content/${uid}/upload`);
  return report.served.received.checksum;
}

/** Polls until the server has processed a file. */
export async function processed({ api }: TestApp, uid: string, end: "done" | "failed" = "done"): Promise<Item> {
  const read = () => api.call<Item>("GET", `/v1/content/${uid}`);
  await expect.poll(async () => (await read()).processing, { timeout: 90_000 }).toBe(end);
  return read();
}

/** Opens a wizard from the menu of the current screen. */
export async function openWizard(page: Page, name: "Add file" | "Add video" | "Add playlist"): Promise<Locator> {
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("menuitem", { name }).click();
  return page.getByRole("dialog", { name });
}

/** Opens the file wizard from the menu of the current screen. */
export async function openFiles(page: Page): Promise<Locator> {
  return openWizard(page, "Add file");
}

/** Fills the wizard with one file, up to the upload button. */
export async function upToUpload(wizard: Locator, path: string, title: string): Promise<void> {
  await wizard.locator('input[type="file"]').setInputFiles(path);
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await wizard.getByLabel("Title").fill(title);
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
}

export const panelOf = (page: Page): Locator => page.getByRole("region", { name: "Uploads" });

/** Checks that the page does not scroll horizontally. */
export async function fits(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(over).toBeLessThanOrEqual(0);
}

/** Checks that the video in the preview advances. */
export async function plays(page: Page, element: "video" | "audio"): Promise<string> {
  const media = page.locator(element).first();
  // Until the library has attached the stream, play() may be interrupted.
  await expect(async () => {
    await media.evaluate((it: HTMLMediaElement) => {
      it.muted = true;
      return it.play();
    });
  }).toPass();
  await expect.poll(() => media.evaluate((it: HTMLMediaElement) => it.currentTime)).toBeGreaterThan(1);
  return media.evaluate((it: HTMLMediaElement) => it.currentSrc);
}

/** Limits the upload bandwidth, in bytes per second. */
export async function line(cdp: CDPSession, bytes: number | "full"): Promise<void> {
  await cdp.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: typeof bytes === "number" ? bytes : -1,
  });
}

/** Returns the controls smaller than 44 pixels; links in text are exempt. */
export async function touchable(page: Page): Promise<void> {
  const small = await page.evaluate(() => {
    const found: string[] = [];
    const scope = document.querySelector("[role=dialog]") ?? document.querySelector("main") ?? document.body;
    for (const control of scope.querySelectorAll<HTMLElement>("button, a[href], input, select, textarea, summary, [role=button]")) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.tabIndex < 0) continue;
      // Some cover a whole card, or are operated through their label.
      const covers = getComputedStyle(control, "::after");
      const whole = covers.content !== "none" && covers.position === "absolute" ? control.offsetParent : null;
      const label = control instanceof HTMLInputElement ? control.labels?.[0] : null;
      const boxes = [control, whole, label].flatMap((part) => (part == null ? [] : [part.getBoundingClientRect()]));
      if (boxes.some(({ width, height }) => width >= 43.5 && height >= 43.5)) continue;
      found.push(`${control.getAttribute("aria-label") ?? control.textContent}: ${control.outerHTML.slice(0, 80)}`);
    }
    return found;
  });
  expect(small).toEqual([]);
}

/** Scrolls to the end of an infinite list. */
export async function scrollThrough(entries: Locator, total: number): Promise<void> {
  await expect(entries.first()).toBeVisible();
  for (let loaded = await entries.count(); loaded < total; loaded = await entries.count()) {
    await entries.last().scrollIntoViewIfNeeded();
    await expect.poll(() => entries.count()).toBeGreaterThan(loaded);
  }
  await expect(entries).toHaveCount(total);
}
