// Content lists: order, paging, and the list of all content.
import type { Page } from "@playwright/test";
import { fits, testApp, itemsOf, playlistOf, scrollThrough, touchable, videoOf } from "./support/content.ts";
import { phone, tabOf } from "./support/portal.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

const here = testApp();

/** Waits until clicks count again: for 50 ms after a drag, the library keeps its click from what lies below. */
const dragEnded = (page: Page): Promise<void> => page.waitForTimeout(100);

test("items are reordered with mouse, touch and keyboard, and a concurrent change is reported", async ({ browser }) => {
  const videos = [];
  for (const title of ["One", "Two", "Three"]) videos.push(await videoOf(here, title));
  const playlist = await playlistOf(here, "In order", videos);
  const titles = async (): Promise<string[]> => (await itemsOf(here, playlist)).map(({ title }) => title);
  const page = await tabOf(browser, here.seeded.owner, { hasTouch: true });
  await page.addInitScript(() => {
    const buzzed: unknown[] = [];
    Object.assign(window, { buzzed });
    Object.defineProperty(navigator, "vibrate", { value: (pattern: unknown) => buzzed.push(pattern) });
  });
  await page.goto(here.at(`/${playlist}`));
  const reorder = page.getByRole("button", { name: "Reorder", exact: true });
  const done = page.getByRole("button", { name: "Done", exact: true });
  const handle = (title: string) => page.getByRole("button", { name: new RegExp(`^Move ${title}:`) });
  const middle = async (title: string) => {
    const box = (await handle(title).boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };

  await reorder.click();
  await handle("One").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText("One: position 2 of 3")).toBeAttached();
  await accessible(page);
  await done.click();
  await expect(page.getByText("Content Reordered")).toBeVisible();
  expect(await titles()).toEqual(["Two", "One", "Three"]);

  await reorder.click();
  const [from, to] = [await middle("Three"), await middle("Two")];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y - 20, { steps: 4 });
  await page.mouse.move(to.x, to.y - 10, { steps: 12 });
  await page.mouse.up();
  await expect(page.getByText("Three: position 1 of 3")).toBeAttached();
  expect(await page.evaluate(() => (window as unknown as { buzzed: unknown[] }).buzzed)).toEqual([100]);
  await dragEnded(page);
  await done.click();
  await expect.poll(titles).toEqual(["Three", "Two", "One"]);
  await expect(reorder).toBeVisible();

  await reorder.click();
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  const [begin, end] = [await middle("Three"), await middle("One")];
  await touch("touchStart", [begin]);
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { buzzed: unknown[] }).buzzed.length))
    .toBe(2);
  for (let step = 1; step <= 10; step += 1) {
    await touch("touchMove", [{ x: begin.x, y: begin.y + ((end.y + 10 - begin.y) * step) / 10 }]);
  }
  await touch("touchEnd", []);
  await expect(page.getByText("Three: position 3 of 3")).toBeAttached();
  await dragEnded(page);
  await done.click();
  await expect.poll(titles).toEqual(["Two", "One", "Three"]);
  await expect(reorder).toBeVisible();

  await reorder.click();
  await handle("Two").focus();
  await page.keyboard.press("ArrowDown");
  await here.api.call("PATCH", `/v1/playlists/${playlist}`, {
    playlist: { items: [...videos].reverse() },
  });
  await done.click();
  await expect(page.getByText("Content Reorder Failed")).toBeVisible();
  await expect(page.getByText("Someone else changed this playlist.")).toBeVisible();
  expect(await titles()).toEqual(["Three", "Two", "One"]);
  await expect(page.getByRole("button", { name: /^(One|Two|Three)$/ }).first()).toHaveText("Three");
});

test("25 playlists load page by page without duplicates, and Back restores the scroll position", async ({ browser }) => {
  for (let number = 1; number <= 25; number += 1) {
    await playlistOf(here, `Series ${String(number).padStart(2, "0")}`);
  }
  const page = await tabOf(browser, here.seeded.owner);
  await page.goto(here.at("?search=Series"));
  const grid = page.getByRole("region", { name: "All playlists" }).getByRole("article");
  const cards = page.getByRole("region", { name: "All playlists" }).getByRole("link");
  await scrollThrough(cards, 25);
  const titles = await cards.allTextContents();
  expect(new Set(titles).size).toBe(25);
  const far = cards.filter({ hasText: titles[20]! });
  await far.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(500);
  await far.click();
  await page.waitForURL(/\/playlists\/[0-9a-f-]+$/);
  await page.goBack();
  await expect(far).toBeInViewport();
  expect(Math.abs((await page.evaluate(() => window.scrollY)) - place)).toBeLessThan(60);

  const boxes = async () => (await Promise.all([0, 1, 2].map((at) => grid.nth(at).boundingBox()))).map((box) => box!);
  await page.setViewportSize({ width: 1440, height: 900 });
  let [one, two, three] = await boxes();
  expect([two!.y, three!.x], "two columns").toEqual([one!.y, one!.x]);
  expect(await grid.first().evaluate((card) => getComputedStyle(card).minWidth)).toBe("380px");
  await page.setViewportSize(phone);
  [one, two, three] = await boxes();
  expect([two!.x, three!.x], "one column").toEqual([one!.x, one!.x]);
});

test("all content loads automatically to the end, and Back restores the scroll position", async ({ browser }) => {
  for (let number = 1; number <= 25; number += 1) {
    await videoOf(here, `Clip ${String(number).padStart(2, "0")}`);
  }
  const page = await tabOf(browser, here.seeded.owner);
  await page.goto(here.at("?tab=all&search=Clip"));
  const cards = page.getByRole("article");
  await scrollThrough(cards, 25);
  const titles = await cards.getByRole("button", { name: /^Clip/ }).allTextContents();
  expect(new Set(titles).size).toBe(25);
  const far = cards.filter({ hasText: titles[20]! });
  await far.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(500);
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await page.waitForURL(/\/home$/);
  await page.goBack();
  await expect(far).toBeInViewport();
  expect(Math.abs((await page.evaluate(() => window.scrollY)) - place)).toBeLessThan(60);
});

for (const viewport of [undefined, phone]) {
  const where = viewport === undefined ? "a desk" : "a phone";
  test(`all content at ${where}: found, previewed, added to a playlist, edited, deleted`, async ({ browser }) => {
    const title = `Loose at ${where}`;
    await videoOf(here, title);
    const target = await playlistOf(here, `Shelf at ${where}`);
    const page = await tabOf(browser, here.seeded.owner, viewport === undefined ? {} : { viewport, hasTouch: true });
    const quiet = complaints(page);
    await page.goto(here.at());
    await page.getByRole("link", { name: "All content" }).click();
    await page.getByRole("searchbox", { name: "Search content by title" }).fill(title);
    await page.getByLabel("Not in a playlist").check();
    await expect(page.getByRole("article")).toHaveCount(1);
    await page.waitForURL(/tab=all.*search=Loose.*loose=true/);
    await page.reload();
    await expect(page.getByRole("article")).toHaveCount(1);
    await expect(page.getByLabel("Not in a playlist")).toBeChecked();
    await fits(page);
    if (viewport !== undefined) await touchable(page);
    await accessible(page);
    await page.getByRole("button", { name: title, exact: true }).click();
    const preview = page.getByRole("dialog", { name: "Preview" });
    await expect(preview.getByRole("button", { name: `Play ${title}` })).toBeVisible();
    await accessible(page);
    await preview.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: `Add ${title} to a playlist` }).click();
    const choosing = page.getByRole("dialog", { name: /to a playlist/ });
    await choosing.getByRole("button", { name: new RegExp(`Shelf at ${where}`) }).click();
    await expect(page.getByText("Added content.")).toBeVisible();
    await expect(page.getByText("No content matches your filters.")).toBeVisible();
    expect((await itemsOf(here, target)).map((item) => item.title)).toEqual([title]);
    await page.getByLabel("Not in a playlist").uncheck();
    const editing = page.getByRole("dialog", { name: "Edit content" });
    const asking = page.getByRole("dialog", { name: "Confirmation" });
    const remove = async (): Promise<void> => {
      await page.getByRole("button", { name: `Edit ${title}` }).click();
      await expect(editing.getByLabel("Video URL")).toBeVisible();
      await editing.getByRole("button", { name: "Delete content" }).click();
      await asking.getByRole("button", { name: "Delete content" }).click();
    };
    await remove();
    await expect(
      page.getByText("Failed to delete content. Make sure it has been removed from all playlists."),
    ).toBeVisible();
    await here.api.call("PATCH", `/v1/playlists/${target}`, { playlist: { items: [] } });
    await remove();
    await expect(page.getByText("Deleted content.")).toBeVisible();
    await expect(page.getByText("No content matches your filters.")).toBeVisible();
    quiet();
  });
}
