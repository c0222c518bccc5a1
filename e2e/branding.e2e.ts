// An organisation's branding: what the preview under Organization shows, and the viewer app beside it.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { imageFile } from "./support/files.ts";
import { phone, tabOf } from "./support/portal.ts";
import { Caller, join, type Seeded, seed, send } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { accessible, expect, test } from "./support/test.ts";
import { opened } from "./support/viewer.ts";

let server: Server;
let seeded: Seeded;
let api: Caller;

test.beforeAll(async () => {
  server = await Server.start();
  seeded = await seed(server, 1);
  api = new Caller(server, seeded.owner.token);
});

test.afterAll(() => server?.stop());

/** The colors of an element. */
const lookOf = (place: Locator) =>
  place.evaluate((element) => {
    const { backgroundColor, color } = getComputedStyle(element);
    return { background: backgroundColor, text: color };
  });

/** The address of an image that can be seen, whatever its size. */
async function imageOf(place: Locator): Promise<string> {
  await expect.poll(() => place.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
  return place.evaluate((image: HTMLImageElement) => image.src.replace(/\?.*/, ""));
}

/** What an app shows: its first pinned playlist, its cards, the images of one without its own, and its navigation. */
async function homeOf(hero: Locator, cards: Locator, entries: Locator) {
  await expect(cards.first()).toBeAttached();
  const mosaic = cards.filter({ hasText: photos }).locator("[data-tiles] img");
  await mosaic.first().scrollIntoViewIfNeeded();
  const shape = await hero.evaluate((element) => element.clientWidth / element.clientHeight);
  return {
    hero: await hero.textContent(),
    shape: shape.toFixed(2),
    cards: await cards.allTextContents(),
    mosaic: await Promise.all((await mosaic.all()).map(async (image) => (await imageOf(image)) !== "")),
    navigation: await entries.evaluateAll((all) =>
      all.map((each) => [each.textContent, each.querySelector("path")?.getAttribute("d"), each.getAttribute("aria-current")]),
    ),
  };
}

/** The home of the viewer app. */
const appHome = (app: Page) =>
  homeOf(
    app.getByRole("main").getByRole("link").first(),
    app.getByRole("region", { name: /^(Pinned|All playlists)$/ }).getByRole("listitem"),
    app.getByRole("navigation", { name: "Main" }).getByRole("link"),
  );

/** The same of its preview, which is hidden from roles. */
const previewOf = (home: Locator) =>
  homeOf(
    home.getByText("Open", { exact: true }).locator("xpath=../../.."),
    home.locator("section li"),
    home.locator("[aria-current=page]").locator("xpath=../*"),
  );

/** A playlist of two images, which has no image of its own. */
const photos = "Field photos";

async function addPhotos(): Promise<void> {
  const bytes = await readFile(await imageFile());
  const items: string[] = [];
  for (const title of ["North", "South"]) items.push(await send(api, seeded.org, { bytes, name: "a.png", type: "image/png", title }));
  const playlist = { title: photos, description: "", privacy: "public", items };
  const { uid } = await api.call<{ uid: string }>("POST", "/v1/playlists", { playlist, orgId: seeded.org });
  const drawn = async (of: string) => (await api.call<{ itemPreviews: string[] }>("GET", `/v1/playlists/${of}`)).itemPreviews.length;
  await expect.poll(() => drawn(uid)).toBe(2);
  // The cover of a playlist with one video is made from the video, a while after it was sent.
  const [, , safety = ""] = seeded.playlists;
  await expect.poll(() => drawn(safety), { timeout: 120_000 }).toBe(1);
}

test("an organisation is branded, and the viewer app shows what the preview showed", async ({ browser }) => {
  await addPhotos();
  const page = await tabOf(browser, seeded.owner);
  await page.goto(`${server.url}/org/${seeded.org}/profile`);
  const grace = await join(server, seeded, "grace@brand.example", "Grace Holloway");
  const app = await opened(browser, { viewport: phone }, grace.token);
  await app.goto(`${server.url}/app/org/${seeded.org}`);
  await expect(app.getByRole("heading", { level: 1 })).toBeVisible();

  await page.getByLabel("Background", { exact: true }).fill("#0b6e4f");
  await page.getByLabel("Button color").fill("#ffe600");
  await page.getByLabel("Text color").fill("#0b6e50");
  await expect(page.getByText(/The text color is hard to read on this background, so the app shows #ffffff/)).toBeVisible();
  await page.getByLabel("Strapline").fill("Clear water, clear films");
  await expect(page.getByText("Unsaved changes")).toBeVisible();

  await page.getByLabel("Logo", { exact: true }).setInputFiles(await imageFile());
  const crop = page.getByRole("dialog", { name: "Crop logo" });
  const area = crop.getByRole("group", { name: /^Part of the image/ });
  await expect(area).toBeVisible();
  await accessible(page);
  const before = await area.boundingBox();
  await area.focus();
  await page.keyboard.press("ArrowLeft");
  await crop.getByText("Free", { exact: true }).click();
  expect(before?.width).toBeCloseTo(before?.height ?? 0, 0);
  await crop.getByRole("button", { name: "Use image" }).click();
  await expect(page.getByRole("button", { name: "Remove logo" })).toBeVisible();
  await page.getByLabel("Background wallpaper", { exact: true }).setInputFiles(await imageFile());
  await page.getByRole("dialog", { name: "Crop background wallpaper" }).getByRole("button", { name: "Use image" }).click();
  await expect(page.getByRole("button", { name: "Replace background wallpaper" })).toBeVisible();
  const [joining, home] = ["Joining page", "Home screen"].map((name) => page.locator("figure", { hasText: name }));
  await expect(home!.getByText("Clear water, clear films")).toBeAttached();
  const promised = { home: await lookOf(home!.locator("header").first()), join: await lookOf(joining!.locator("button")) };
  expect(promised.home.background).toBe("rgb(11, 110, 79)");
  const images = { logo: await imageOf(home!.locator("header img")), wallpaper: await imageOf(joining!.locator("img").first()) };
  const shown = await previewOf(home!);
  expect(shown.hero).toContain("Market briefings");
  expect(shown.mosaic).toEqual([true, true]);
  expect(shown.navigation.map(([text]) => text)).toEqual(["Home", "Search", "Me"]);
  const glimpse = await joining!.locator("li").allTextContents();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await accessible(page);

  // Both apps side by side: the viewer app has it as soon as its window is used again, without a reload.
  await app.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(app.getByText("Clear water, clear films")).toBeVisible();
  expect(await lookOf(app.locator("header").first())).toEqual(promised.home);
  expect(await imageOf(app.locator("header img").first())).toBe(images.logo);
  expect(await appHome(app)).toEqual(shown);
  await app.context().close();

  const fresh = await (await browser.newContext({ viewport: phone })).newPage();
  await fresh.goto(seeded.joinUrl);
  await expect(fresh.getByText("Clear water, clear films")).toBeVisible();
  expect(await lookOf(fresh.getByRole("button", { name: "Join" }))).toEqual(promised.join);
  expect(await imageOf(fresh.locator("img").first())).toBe(images.wallpaper);
  expect(await fresh.getByRole("listitem").allTextContents()).toEqual(glimpse);
  await accessible(fresh);
  await fresh.context().close();
});
