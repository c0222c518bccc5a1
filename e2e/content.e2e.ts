// Content and playlists as people work with them: every wizard and dialog with real files, and what plays.
import type { Page } from "@playwright/test";
import {
  documentFile,
  film,
  fileOf,
  type Item,
  itemsOf,
  openFiles,
  playlistOf,
  sound,
  upToUpload,
} from "./support/content.ts";
import { tabOf } from "./support/portal.ts";
import { Caller, type Seeded, seed } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

let server: Server;
let seeded: Seeded;

// A server of its own: other journeys seed theirs.
test.beforeAll(async () => {
  server = await Server.start();
  seeded = await seed(server);
});
test.afterAll(() => server.stop());

const at = (server: Server, path = ""): string => `${server.url}/org/${seeded.org}/playlists${path}`;

/** Asks until the server has made what browsers play. */
async function processed(server: Server, uid: string): Promise<Item> {
  const read = () => new Caller(server, seeded.owner.token).call<Item>("GET", `/v1/content/${uid}`);
  await expect.poll(async () => (await read()).processing, { timeout: 90_000 }).toBe("done");
  return read();
}

/** The film in the preview gets further. */
async function plays(page: Page, element: "video" | "audio"): Promise<string> {
  const media = page.locator(element).first();
  await media.evaluate((it: HTMLMediaElement) => {
    it.muted = true;
    return it.play();
  });
  await expect.poll(() => media.evaluate((it: HTMLMediaElement) => it.currentTime)).toBeGreaterThan(1);
  return media.evaluate((it: HTMLMediaElement) => it.currentSrc);
}

test("a playlist and a film of its own: wizards, processing, captions, report, a new version", async ({ browser }) => {
  const page = await tabOf(browser, seeded.owner);
  const quiet = complaints(page);
  await page.goto(at(server));
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("menuitem", { name: "Add playlist" }).click();
  const creating = page.getByRole("dialog", { name: "Add playlist" });
  await creating.getByRole("button", { name: "Next", exact: true }).click();
  await expect(creating.getByText("Title is required")).toBeVisible();
  await expect(page.getByText("Invalid Form")).toBeVisible();
  await creating.getByLabel("Title").fill("Field notes");
  await creating.getByLabel("Contact e-mail").fill("notes@northwind.example.com");
  await accessible(page);
  await creating.getByRole("button", { name: "Next", exact: true }).click();
  await creating.getByRole("button", { name: "Finish" }).click();
  await expect(creating.getByText("Playlist added!")).toBeVisible();
  await accessible(page);
  await creating.getByRole("button", { name: "Add file" }).click();
  const wizard = page.getByRole("dialog", { name: "Add file" });
  await upToUpload(wizard, film, "A walk");
  await accessible(page);
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(wizard.getByText("Upload successful!")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Added content.")).toBeVisible();
  await wizard.getByRole("button", { name: "Done" }).last().click();
  const playlist = page.url().match(/playlists\/([0-9a-f-]+)/)![1]!;
  const [item] = await itemsOf(server, seeded.owner, playlist);
  await processed(server, item!.uid);
  await expect(page.getByText("Processing")).toBeHidden();

  await page.getByRole("button", { name: "Edit A walk" }).click();
  const editing = page.getByRole("dialog", { name: "Edit content" });
  await expect(editing.getByLabel("Video URL")).toHaveCount(0);
  await editing.getByRole("button", { name: "Add captions" }).click();
  await expect(editing.getByText("Say which language first.")).toBeVisible();
  await editing.getByLabel("Language").fill("en");
  await editing.getByLabel("Label").fill("English");
  const captions = editing.getByLabel("Captions file");
  await captions.setInputFiles(await fileOf("wrong.vtt", "no captions at all"));
  await expect(editing.getByRole("alert")).toBeVisible();
  await captions.setInputFiles(await fileOf("walk.srt", "1\n00:00:00,500 --> 00:00:04,000\nWe begin.\n"));
  await expect(editing.getByRole("link", { name: "Download captions English" })).toBeVisible();
  await expect(editing.getByRole("alert")).toBeHidden();
  await accessible(page);
  await editing.getByLabel("Language").fill("de");
  await editing.getByLabel("Label").fill("Deutsch");
  await captions.setInputFiles(await fileOf("walk.vtt", "WEBVTT\n\n00:00.500 --> 00:04.000\nWir beginnen.\n"));
  await expect(editing.getByRole("link", { name: "Download captions Deutsch" })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    editing.getByRole("link", { name: "Download captions English" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.vtt$/);
  await editing.getByText("Upload report").click();
  const report = editing.getByRole("region", { name: "The file that is shown" });
  await expect(report.getByText("Available")).toBeVisible();
  await expect(report.getByText(/video\/mp4/).first()).toBeVisible();
  await accessible(page);
  await editing.getByLabel("New version of the file").setInputFiles(film);
  await expect(editing.getByText("phone.mp4: This version is in place now.")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Edited content.")).toBeVisible();
  await editing.getByRole("button", { name: "Delete captions English" }).click();
  await expect(editing.getByRole("link", { name: "Download captions English" })).toBeHidden();
  await editing.getByLabel("Title", { exact: true }).fill("A long walk");
  await editing.getByRole("button", { name: "Save" }).click();
  await expect(editing).toBeHidden();
  await expect(page.getByRole("button", { name: "A long walk", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Edit A long walk" }).click();
  await editing.getByRole("button", { name: "Delete content" }).click();
  const asking = page.getByRole("dialog", { name: "Confirmation" });
  await accessible(page);
  await asking.getByRole("button", { name: "Delete content" }).click();
  await expect(page.getByText("Deleted content.")).toBeVisible();
  await expect(page.getByText("This playlist has no content.")).toBeVisible();
  quiet();
});

test("the stream plays by the browser itself, and by the library where the browser knows no streams", async ({ browser }) => {
  const [uid] = seeded.contents;
  await processed(server, uid!);
  const address = at(server, `/${seeded.playlists[0]}?content=${uid}`);
  const native = await tabOf(browser, seeded.owner);
  const nativeQuiet = complaints(native);
  await native.goto(address);
  expect(await plays(native, "video")).toMatch(/\/master\.m3u8$/);
  await expect(native.locator('track[label="thumbnails"]')).toHaveAttribute("src", /storyboard\.vtt$/);
  nativeQuiet();

  const other = await tabOf(browser, seeded.owner);
  const otherQuiet = complaints(other);
  await other.addInitScript(() => {
    const known = HTMLMediaElement.prototype.canPlayType;
    HTMLMediaElement.prototype.canPlayType = function (type) {
      return type.includes("mpegurl") ? "" : known.call(this, type);
    };
  });
  const asked: string[] = [];
  other.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await other.goto(address);
  expect(await plays(other, "video")).toMatch(/^blob:/);
  expect(asked.some((path) => path.endsWith("/master.m3u8"))).toBe(true);
  expect(asked.some((path) => /\/hls\.worker-[^/]+\.js$/.test(path))).toBe(true);
  otherQuiet();
});

test("a recording shows its loudness, a document and a video of elsewhere what they are", async ({ browser }) => {
  const playlist = await playlistOf(server, seeded.owner, seeded.org, "Every kind");
  const page = await tabOf(browser, seeded.owner);
  const quiet = complaints(page);
  await page.goto(at(server, `/${playlist}`));
  for (const [path, title] of [
    [sound, "A recording"],
    [await documentFile(), "A document"],
  ] as const) {
    const wizard = await openFiles(page);
    await upToUpload(wizard, path, title);
    await wizard.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(wizard.getByText("Upload successful!")).toBeVisible({ timeout: 60_000 });
    await wizard.getByRole("button", { name: "Done" }).last().click();
  }
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("menuitem", { name: "Add video" }).click();
  const wizard = page.getByRole("dialog", { name: "Add video" });
  await wizard.getByLabel("Video URL").fill("https://example.com/film");
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await expect(wizard.getByText("URL is invalid.")).toBeVisible();
  await wizard.getByLabel("Video URL").fill("https://youtu.be/dQw4w9WgXcQ");
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await wizard.getByLabel("Title").fill("From elsewhere");
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(wizard.getByText("Upload successful!")).toBeVisible();
  await wizard.getByRole("button", { name: "Done" }).last().click();
  const items = await itemsOf(server, seeded.owner, playlist);
  expect(items.map(({ kind }) => kind)).toEqual(["audio", "pdf", "embed"]);
  await processed(server, items[0]!.uid);
  await page.goto(at(server, `/${playlist}`));
  await page.getByRole("button", { name: "A recording", exact: true }).click();
  await plays(page, "audio");
  await expect(page.locator("media-controller").locator("xpath=..").locator("svg[viewBox='0 0 360 40']")).toBeVisible();
  await accessible(page);
  await page.getByRole("button", { name: "A document", exact: true }).click();
  await expect(page.getByRole("link", { name: "Open PDF" })).toBeVisible();
  await page.getByRole("button", { name: "From elsewhere", exact: true }).click();
  await expect(page.getByRole("button", { name: /Play From elsewhere/ })).toBeVisible();
  await expect(page.locator("iframe")).toHaveCount(0);
  quiet();
});
