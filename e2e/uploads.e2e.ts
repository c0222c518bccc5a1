// Uploads: large files over an unreliable connection, a reload in the middle, many files at once.
import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import {
  fits,
  holds,
  testApp,
  itemsOf,
  line,
  openFiles,
  openssl,
  panelOf,
  playlistOf,
  plays,
  processed,
  received,
  upToUpload,
} from "./support/content.ts";
import { documentFile, video, largeFile, longVideo, audio, wideVideo } from "./support/files.ts";
import { phone, tabOf } from "./support/portal.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

const MIB = 1024 * 1024;
const LARGE = 72 * MIB;
/** Bytes a second at which a large file takes longer than a busy machine needs for the next click. */
const SLOW = 4 * MIB;
const here = testApp();

/** The start offset of each request of a resumable upload. */
function offsets(page: Page): number[] {
  const sent: number[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH" && request.url().includes("/v1/uploads/tus/")) {
      sent.push(Number(request.headers()["upload-offset"]));
    }
  });
  return sent;
}

/** MD5 of a URL's body, streamed. */
async function md5Of(url: string): Promise<string> {
  const sum = createHash("md5");
  for await (const part of (await fetch(url)).body!) sum.update(part);
  return sum.digest("base64");
}

/** The progress shown by the wizard. */
async function percent(page: Page): Promise<number> {
  const said = await page.getByRole("dialog").getByRole("progressbar").getAttribute("aria-valuenow");
  return Number(said ?? 0);
}

test("a large file resumes automatically after a lost connection, and arrives intact", async ({ browser }) => {
  const playlist = await playlistOf(here, "A cut line");
  const page = await tabOf(browser, here.seeded.owner);
  const quiet = complaints(page);
  const begun = offsets(page);
  const cdp = await page.context().newCDPSession(page);
  const path = await largeFile("film.bin", LARGE);
  await page.goto(here.at(`/${playlist}`));
  const wizard = await openFiles(page);
  await upToUpload(wizard, path, "A large film");
  await line(cdp, SLOW);
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(wizard.getByText("Uploading")).toBeVisible();
  // The server has stored the first 32 MiB by then.
  await expect.poll(() => percent(page), { intervals: [100], timeout: 90_000 }).toBeGreaterThan(60);
  await here.server.kill();
  await expect(wizard.getByText("No connection")).toBeVisible();
  await expect(wizard.getByText(/resumes automatically/)).toBeVisible();
  await accessible(page);
  await here.server.launch();
  await line(cdp, "full");
  await expect(wizard.getByText("Upload successful!")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Added content.")).toBeVisible();
  expect(begun.length).toBeGreaterThan(1);
  expect(begun.at(-1)).toBeGreaterThan(0);
  const [item] = await itemsOf(here, playlist);
  await holds(here, item!, path);
  quiet();
});

test("a video of 1 GiB resumes after a lost connection, and plays", async ({ browser }) => {
  const playlist = await playlistOf(here, "One gibibyte");
  const page = await tabOf(browser, here.seeded.owner);
  const begun = offsets(page);
  const path = await longVideo(1024 * MIB);
  await page.goto(here.at(`/${playlist}`));
  const wizard = await openFiles(page);
  await upToUpload(wizard, path, "The long film");
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(wizard.getByText("Uploading")).toBeVisible({ timeout: 60_000 });
  await expect.poll(() => percent(page), { intervals: [50], timeout: 60_000 }).toBeGreaterThan(30);
  here.wire.cut();
  await expect(wizard.getByText("No connection")).toBeVisible();
  const reached = await percent(page);
  expect(reached).toBeLessThan(100);
  here.wire.mend();
  await expect(wizard.getByText("Upload successful!")).toBeVisible({ timeout: 60_000 });
  expect(begun.at(-1)).toBeGreaterThan(200 * MIB);
  const [item] = await itemsOf(here, playlist);
  const sum = openssl(path);
  expect(await received(here.api, item!.uid)).toBe(sum);
  expect(await md5Of(item!.url)).toBe(sum);
  await processed(here, item!.uid);
  await wizard.getByRole("button", { name: "Done" }).last().click();
  await plays(page, "video");
});

test("a reload in the middle: the same file resumes, a different one is refused", async ({ browser }) => {
  const playlist = await playlistOf(here, "A reloaded tab");
  const page = await tabOf(browser, here.seeded.owner);
  const cdp = await page.context().newCDPSession(page);
  const path = await largeFile("talk.bin", LARGE);
  await page.goto(here.at(`/${playlist}`));
  const wizard = await openFiles(page);
  await upToUpload(wizard, path, "A long talk");
  await line(cdp, SLOW);
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(wizard.getByText("Uploading")).toBeVisible();
  await expect.poll(() => percent(page), { intervals: [100] }).toBeGreaterThan(30);
  const asked = page.waitForEvent("dialog");
  const reloaded = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reloaded;
  await line(cdp, "full");
  const panel = panelOf(page);
  await expect(panel.getByText("talk.bin")).toBeVisible();
  await expect(panel.getByText(/Choose the file again to continue/)).toBeVisible();
  await accessible(page);
  const input = panel.getByLabel("Choose talk.bin again");
  await input.setInputFiles(video);
  await expect(panel.getByText("This is a different file. Choose the one you started uploading.")).toBeVisible();
  const begun = offsets(page);
  await input.setInputFiles(path);
  await expect(panel.getByText("Upload successful!")).toBeVisible({ timeout: 60_000 });
  expect(begun[0]).toBeGreaterThan(0);
  const items = await itemsOf(here, playlist);
  expect(items.map(({ title }) => title)).toEqual(["A long talk"]);
  await holds(here, items[0]!, path);
  await panel.getByRole("button", { name: "Clear" }).click();
  await expect(panel).toBeHidden();
  await page.reload();
  await expect(page.getByText("1 item")).toBeVisible();
  await expect(panel).toBeHidden();
});

for (const viewport of [undefined, phone]) {
  const where = viewport === undefined ? "a desk" : "a phone";
  test(`many files at once at ${where}: two at a time, through other screens, none lost`, async ({ browser }) => {
    const playlist = await playlistOf(here, `Many files at ${where}`);
    const page = await tabOf(browser, here.seeded.owner, viewport === undefined ? {} : { viewport, hasTouch: true });
    const quiet = complaints(page);
    const cdp = await page.context().newCDPSession(page);
    const files = [video, await wideVideo(), audio, await documentFile(), await largeFile("notes.bin", 3 * MIB)];
    await page.goto(here.at(`/${playlist}`));
    const wizard = await openFiles(page);
    await wizard.locator('input[type="file"]').setInputFiles(files);
    await expect(wizard.getByRole("listitem").filter({ hasText: "figures.pdf" })).toBeVisible();
    await accessible(page);
    await line(cdp, MIB / 16);
    await wizard.getByRole("button", { name: "Upload 5 files" }).click();
    await expect(wizard).toBeHidden();
    const panel = panelOf(page);
    await expect(panel.getByRole("progressbar")).toHaveCount(2);
    await expect(panel.getByText(/Queued/)).toHaveCount(3);
    await expect(panel.getByText(/MB\/s|KB\/s/).first()).toBeVisible();
    await fits(page);
    await accessible(page);
    if (viewport !== undefined) await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await page.waitForURL(/\/home$/);
    await expect(panel.getByText("phone.mp4")).toBeVisible();
    await line(cdp, "full");
    await expect(panel.getByText("Uploads: 5 of 5 done")).toBeVisible({ timeout: 60_000 });
    const items = await itemsOf(here, playlist);
    expect(items.map(({ kind }) => kind).sort()).toEqual(["audio", "file", "pdf", "video", "video"]);
    expect(items.map(({ title }) => title).sort()).toEqual(["Figures", "Notes", "Phone", "Sound", "Wide"]);
    for (const path of files) await holds(here, items.find(({ title }) => path.includes(`/${title.toLowerCase()}.`))!, path);
    await panel.getByRole("button", { name: "Collapse uploads" }).click();
    await expect(panel.getByText("phone.mp4")).toBeHidden();
    await panel.getByRole("button", { name: "Clear" }).click();
    await expect(panel).toBeHidden();
    quiet();
  });
}

test("a cancelled upload leaves nothing behind", async ({ browser }) => {
  const playlist = await playlistOf(here, "Second thoughts");
  const page = await tabOf(browser, here.seeded.owner);
  const cdp = await page.context().newCDPSession(page);
  await page.goto(here.at(`/${playlist}`));
  const wizard = await openFiles(page);
  await upToUpload(wizard, await largeFile("wrong.bin", LARGE), "The wrong one");
  await line(cdp, SLOW);
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect.poll(() => percent(page), { intervals: [100] }).toBeGreaterThan(5);
  await wizard.getByRole("button", { name: "Close" }).click();
  const panel = panelOf(page);
  await panel.getByRole("button", { name: "Cancel wrong.bin" }).click();
  await expect(panel).toBeHidden();
  await line(cdp, "full");
  expect(await itemsOf(here, playlist)).toEqual([]);
  const left = () =>
    here.api.call<{ data: unknown[] }>("GET", `/v1/content?orgId=${here.seeded.org}&search=wrong`).then(({ data }) => data.length);
  await expect.poll(left).toBe(0);
});
