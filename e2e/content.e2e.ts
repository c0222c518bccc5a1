// Content: editing, repairing, and showing every kind.
import { testApp, playlistOf, plays, processed, sent, videoOf } from "./support/content.ts";
import { brokenVideo, documentFile, video, fileOf, imageFile, audio } from "./support/files.ts";
import { tabOf } from "./support/portal.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

const here = testApp();

test("a video is edited: captions, report, a new version, and deletion", async ({ browser }) => {
  const uid = await sent(here, video, "A walk", "video/mp4");
  const playlist = await playlistOf(here, "Field notes", [uid]);
  const page = await tabOf(browser, here.seeded.owner);
  const quiet = complaints(page);
  await page.goto(here.at(`/${playlist}`));
  await processed(here, uid);
  await expect(page.getByText("Processing")).toBeHidden();

  await page.getByRole("button", { name: "Edit A walk" }).click();
  const editing = page.getByRole("dialog", { name: "Edit content" });
  await expect(editing.getByLabel("Video URL")).toHaveCount(0);
  await editing.getByRole("button", { name: "Add captions" }).click();
  await expect(editing.getByText("Enter a language first.")).toBeVisible();
  await editing.getByLabel("Language").fill("en");
  await editing.getByLabel("Label").fill("English");
  const captions = editing.getByLabel("Captions file");
  await captions.setInputFiles(await fileOf("wrong.vtt", "no captions at all"));
  await expect(editing.getByRole("alert")).toBeVisible();
  await captions.setInputFiles(await fileOf("walk.srt", "1\n00:00:00,500 --> 00:00:04,000\nWe begin.\n"));
  await expect(editing.getByRole("link", { name: "Download English captions" })).toBeVisible();
  await expect(editing.getByRole("alert")).toBeHidden();
  await accessible(page);
  await editing.getByLabel("Language").fill("de");
  await editing.getByLabel("Label").fill("Deutsch");
  await captions.setInputFiles(await fileOf("walk.vtt", "WEBVTT\n\n00:00.500 --> 00:04.000\nWir beginnen.\n"));
  await expect(editing.getByRole("link", { name: "Download Deutsch captions" })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    editing.getByRole("link", { name: "Download English captions" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.vtt$/);
  await editing.getByText("Upload report").click();
  const report = editing.getByRole("region", { name: "Current file" });
  await expect(report.getByText("Available")).toBeVisible();
  await expect(report.getByText(/video\/mp4/).first()).toBeVisible();
  await accessible(page);
  await editing.getByLabel("New version of the file").setInputFiles(video);
  await expect(editing.getByText("phone.mp4: This version is now live.")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Edited content.")).toBeVisible();
  await editing.getByRole("button", { name: "Delete English captions" }).click();
  await expect(editing.getByRole("link", { name: "Download English captions" })).toBeHidden();
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

test("the stream plays natively, and through the library if the browser does not support HLS", async ({ browser }) => {
  const [uid] = here.seeded.items;
  await processed(here, uid!);
  const address = here.at(`/${here.seeded.playlists[0]}?content=${uid}`);
  const native = await tabOf(browser, here.seeded.owner);
  const nativeQuiet = complaints(native);
  await native.goto(address);
  expect(await plays(native, "video")).toMatch(/\/master\.m3u8$/);
  await expect(native.locator('track[label="thumbnails"]')).toHaveAttribute("src", /storyboard\.vtt$/);
  nativeQuiet();

  const other = await tabOf(browser, here.seeded.owner);
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

test("a truncated video shows an error, is retried, and works after replacing the file", async ({ browser }) => {
  const uid = await sent(here, await brokenVideo(), "The harbour", "video/mp4");
  const playlist = await playlistOf(here, "Damaged", [uid]);
  await processed(here, uid, "failed");
  const page = await tabOf(browser, here.seeded.owner);
  const quiet = complaints(page);
  await page.goto(here.at(`/${playlist}`));
  const card = page.getByRole("article").filter({ hasText: "The harbour" });
  const reason = card.getByText(/damaged or was cut off/);
  await expect(reason).toBeVisible();
  await accessible(page);

  const asked = page.waitForResponse((answer) => answer.request().method() === "POST" && answer.url().includes(uid));
  await card.getByRole("button", { name: "Retry processing The harbour" }).click();
  expect((await asked).ok()).toBe(true);
  await processed(here, uid, "failed");
  await expect(reason).toBeVisible();

  await card.getByRole("button", { name: "Edit The harbour" }).click();
  const editing = page.getByRole("dialog", { name: "Edit content" });
  await editing.getByLabel("New version of the file").setInputFiles(video);
  await expect(editing.getByText("phone.mp4: This version is now live.")).toBeVisible({ timeout: 60_000 });
  await editing.getByRole("button", { name: "Close" }).click();
  await processed(here, uid);
  await expect(reason).toBeHidden();
  await expect(card.getByText("0:08", { exact: true })).toBeVisible();
  quiet();
});

test("two people who edit the same content are warned, and nothing is lost silently", async ({ browser }) => {
  const uid = await videoOf(here, "A first name");
  const playlist = await playlistOf(here, "Two editors", [uid]);
  const page = await tabOf(browser, here.seeded.owner);
  const quiet = complaints(page);
  await page.goto(here.at(`/${playlist}`));
  await page.getByRole("button", { name: "Edit A first name" }).click();
  const editing = page.getByRole("dialog", { name: "Edit content" });
  await editing.getByLabel("Title", { exact: true }).fill("Mine");
  await here.api.call("PATCH", `/v1/content/${uid}`, { content: { title: "Theirs" } });
  await editing.getByRole("button", { name: "Save" }).click();
  await expect(editing.getByText("Someone else changed this content.")).toBeVisible();
  const stored = async () => (await here.api.call<{ title: string }>("GET", `/v1/content/${uid}`)).title;
  expect(await stored()).toBe("Theirs");
  await accessible(page);
  await editing.getByRole("button", { name: "Save anyway" }).click();
  await expect(editing).toBeHidden();
  expect(await stored()).toBe("Mine");
  quiet();
});

test("a double click acts once, and a cut connection keeps what was typed", async ({ browser }) => {
  const uid = await sent(here, video, "Twice", "video/mp4");
  const playlist = await playlistOf(here, "Double clicks", [uid]);
  await processed(here, uid);
  const page = await tabOf(browser, here.seeded.owner);
  const written: string[] = [];
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    if (request.method() !== "GET" && /^\/v1\/(content|playlists)/.test(path)) {
      written.push(`${request.method()} ${path.replace(uid, "item").replace(playlist, "list")}`);
    }
  });
  await page.goto(here.at(`/${playlist}`));
  await page.getByRole("button", { name: "Edit Twice" }).click();
  const editing = page.getByRole("dialog", { name: "Edit content" });
  const title = editing.getByLabel("Title", { exact: true });
  await title.fill("Once");
  await page.context().setOffline(true);
  await expect(page.getByRole("status").filter({ hasText: "You are offline." })).toBeVisible();
  await editing.getByRole("button", { name: "Save" }).dblclick();
  await expect(title).toHaveValue("Once");
  await page.context().setOffline(false);
  await expect(editing).toBeHidden();
  await expect(page.getByRole("button", { name: "Once", exact: true })).toBeVisible();
  expect(written).toEqual(["PATCH /v1/content/item"]);

  written.length = 0;
  await page.getByRole("button", { name: "Edit Once" }).click();
  await editing.getByLabel("Language").fill("en");
  await editing.getByLabel("Label").fill("English");
  const vtt = await fileOf("once.vtt", "WEBVTT\n\n00:00.500 --> 00:04.000\nOnce.\n");
  await editing.getByLabel("Captions file").setInputFiles(vtt);
  await editing.getByRole("button", { name: "Delete English captions" }).dblclick();
  await expect(editing.getByRole("link", { name: "Download English captions" })).toBeHidden();
  expect(written).toEqual(["PUT /v1/content/item/captions/en", "DELETE /v1/content/item/captions/en"]);

  written.length = 0;
  await editing.getByRole("button", { name: "Delete content" }).click();
  const asking = page.getByRole("dialog", { name: "Confirmation" });
  await asking.getByRole("button", { name: "Delete content" }).dblclick();
  await expect(page.getByText("Deleted content.")).toBeVisible();
  await expect(page.getByText("This playlist has no content.")).toBeVisible();
  // It leaves the playlist first.
  expect(written).toEqual(["PATCH /v1/playlists/list", "DELETE /v1/content/item"]);
});

test("every kind is shown: audio, image, PDF, embed after a click, or download", async ({ browser }) => {
  const items = [
    await sent(here, audio, "A recording", "audio/mpeg"),
    await sent(here, await imageFile(), "A picture", "image/png"),
    await sent(here, await documentFile(3), "A document", "application/pdf"),
    await sent(here, await fileOf("notes.bin", "no known kind"), "A file", "application/octet-stream"),
    await videoOf(here, "From elsewhere"),
  ];
  const playlist = await playlistOf(here, "Every kind", items);
  await processed(here, items[0]!);
  const page = await tabOf(browser, here.seeded.owner);
  const quiet = complaints(page);
  const elsewhere: string[] = [];
  await page.route(/youtube/, (route) => {
    elsewhere.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<title>A film of elsewhere</title>" });
  });
  await page.goto(here.at(`/${playlist}`));
  const preview = page.getByRole("region", { name: "Preview" });
  const choose = (title: string) => page.getByRole("button", { name: title, exact: true }).click();

  await choose("A recording");
  await plays(page, "audio");
  await expect(preview.locator("svg[viewBox='0 0 360 40']")).toBeVisible();
  await accessible(page);

  await choose("A picture");
  const width = () => preview.getByRole("img", { name: "A picture" }).evaluate((it: HTMLImageElement) => it.naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);

  await choose("A document");
  await expect(preview.getByText("Page 1 of 3")).toBeVisible();
  await expect(preview.getByText("This is page 1")).toBeVisible();
  await accessible(page);
  await preview.getByRole("button", { name: "Next page" }).click();
  await expect(preview.getByText("Page 2 of 3")).toBeVisible();
  await expect(preview.getByText("This is page 2")).toBeInViewport();
  await preview.getByRole("region", { name: "A document" }).press("PageDown");
  await expect(preview.getByText("Page 3 of 3")).toBeVisible();

  await choose("A file");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    preview.getByRole("link", { name: /Download/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("notes.bin");

  await choose("From elsewhere");
  await expect(page.locator("iframe")).toHaveCount(0);
  // Its poster is an image of our own.
  const poster = preview.locator("button img");
  await expect.poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1280);
  expect(new URL((await poster.getAttribute("src")) ?? "").origin).toBe(new URL(page.url()).origin);
  expect(elsewhere).toEqual([]);
  await preview.getByRole("button", { name: "Play From elsewhere" }).click();
  await expect(page.locator("iframe")).toHaveAttribute("src", /^https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ/);
  await expect.poll(() => elsewhere.length).toBeGreaterThan(0);
  quiet();
});
