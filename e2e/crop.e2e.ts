// Cropping by mouse, touch and keyboard: what the frame shows is what is uploaded.
import type { CDPSession, Locator, Page } from "@playwright/test";
import { fits } from "./support/content.ts";
import { halvesFile } from "./support/files.ts";
import { phone, tabOf } from "./support/portal.ts";
import { type Seeded, seed } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { accessible, expect, test } from "./support/test.ts";

let server: Server;
let seeded: Seeded;

test.beforeAll(async () => {
  server = await Server.start();
  seeded = await seed(server, 0);
});

test.afterAll(() => server?.stop());

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const boxOf = async (place: Locator): Promise<Box> => (await place.boundingBox())!;
const frameOf = (crop: Locator) => crop.getByRole("group", { name: /^Part of the image/ });

/** Opens the cropper with an image of two halves; the frame begins in the middle. */
async function cropping(page: Page, label: string, shape: "wide" | "tall"): Promise<Locator> {
  await page.getByLabel(label, { exact: true }).setInputFiles(await halvesFile(shape));
  const crop = page.getByRole("dialog", { name: `Crop ${label.toLowerCase()}` });
  await expect(frameOf(crop)).toBeFocused();
  const [frame, image] = [await boxOf(frameOf(crop)), await boxOf(crop.locator("img").first())];
  expect(frame.x + frame.width / 2).toBeCloseTo(image.x + image.width / 2, 0);
  expect(frame.y + frame.height / 2).toBeCloseTo(image.y + image.height / 2, 0);
  return crop;
}

/** Size of an uploaded image, and its colors at the beginning and at the end of both axes; null while it uploads. */
function uploaded(page: Page, label: string) {
  const shown = page.getByLabel(label, { exact: true }).locator("..").locator('img[src*="/images/"]');
  return shown.evaluate(async (image: HTMLImageElement) => {
    if (image.src.startsWith("data:")) return null;
    const answer = await fetch(image.src.replace(/\?.*/, ""));
    const bitmap = await createImageBitmap(await answer.blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    const at = (x: number, y: number) => {
      const [red = 0, , blue = 0] = context.getImageData(x * (bitmap.width - 1), y * (bitmap.height - 1), 1, 1).data;
      return red > 200 && blue < 60 ? "red" : blue > 200 && red < 60 ? "blue" : `${red} and ${blue}`;
    };
    return { width: bitmap.width, height: bitmap.height, first: at(0.02, 0.02), last: at(0.98, 0.98) };
  });
}

const touch = (cdp: CDPSession, type: "touchStart" | "touchMove" | "touchEnd", point?: { x: number; y: number }) =>
  cdp.send("Input.dispatchTouchEvent", { type, touchPoints: point === undefined ? [] : [point] });

test("a logo is cropped by mouse", async ({ browser }) => {
  const page = await tabOf(browser, seeded.owner);
  await page.goto(`${server.url}/org/${seeded.org}/profile`);
  let crop = await cropping(page, "Logo", "wide");
  const [before, image] = [await boxOf(frameOf(crop)), await boxOf(crop.locator("img").first())];
  expect(before.width).toBeCloseTo(before.height, 0);
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2);
  await page.mouse.down();
  await page.mouse.move(before.x + before.width, before.y + before.height / 2, { steps: 5 });
  await page.mouse.move(before.x + before.width * 1.5, before.y + before.height / 2, { steps: 5 });
  await page.mouse.up();
  const after = await boxOf(frameOf(crop));
  expect(after.x + after.width).toBeCloseTo(image.x + image.width, 0);
  expect([Math.round(after.width), Math.round(after.height)]).toEqual([Math.round(before.width), Math.round(before.height)]);
  await crop.getByRole("button", { name: "Use image" }).click();
  await expect(page.getByRole("button", { name: "Replace logo" })).toBeVisible();
  expect(await uploaded(page, "Logo")).toEqual({ width: 600, height: 600, first: "blue", last: "blue" });

  // Free: the whole image, once its corners are dragged out.
  crop = await cropping(page, "Logo", "wide");
  await crop.getByText("Free", { exact: true }).click();
  for (const [corner, x, y] of [
    ["Top left corner: arrow keys resize", image.x, image.y],
    ["Bottom right corner: arrow keys resize", image.x + image.width, image.y + image.height],
  ] as const) {
    const handle = await boxOf(crop.getByRole("button", { name: corner }));
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 8 });
    await page.mouse.up();
  }
  await crop.getByRole("button", { name: "Use image" }).click();
  await expect.poll(() => uploaded(page, "Logo")).toMatchObject({ first: "red", last: "blue" });
  const { width, height } = (await uploaded(page, "Logo"))!;
  expect(width / height).toBeCloseTo(2, 1);
});

test("a photo is cropped by touch, on a phone", async ({ browser }) => {
  const page = await tabOf(browser, seeded.owner, { viewport: phone, hasTouch: true, isMobile: true });
  await page.goto(`${server.url}/user-profile`);
  const crop = await cropping(page, "Photo", "wide");
  await fits(page);
  await accessible(page);
  const [before, image] = [await boxOf(frameOf(crop)), await boxOf(crop.locator("img").first())];
  const cdp = await page.context().newCDPSession(page);
  const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
  await touch(cdp, "touchStart", { x, y });
  for (const part of [0.25, 0.5, 0.75, 1]) await touch(cdp, "touchMove", { x: x - before.width * part, y });
  await touch(cdp, "touchEnd");
  const after = await boxOf(frameOf(crop));
  expect(after.x).toBeLessThan(before.x - before.width / 4);
  expect(after.x).toBeCloseTo(image.x, 0);
  await crop.getByRole("button", { name: "Use image" }).click();
  await expect(page.getByRole("button", { name: "Replace photo" })).toBeVisible();
  expect(await uploaded(page, "Photo")).toEqual({ width: 600, height: 600, first: "red", last: "red" });
});

test("a thumbnail is cropped by keyboard, and Escape leaves the dialog below it open", async ({ browser }) => {
  const page = await tabOf(browser, seeded.owner);
  await page.goto(`${server.url}/org/${seeded.org}/playlists/${seeded.playlists[0]}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const editing = page.getByRole("dialog", { name: "Edit Playlist" });
  await editing.getByLabel("Title").fill("Typed before");
  let crop = await cropping(page, "Thumbnail", "tall");
  await page.keyboard.press("Escape");
  await expect(crop).toBeHidden();
  await expect(editing.getByLabel("Title")).toHaveValue("Typed before");

  crop = await cropping(page, "Thumbnail", "tall");
  const [before, image] = [await boxOf(frameOf(crop)), await boxOf(crop.locator("img").first())];
  expect(before.width / before.height).toBeCloseTo(2, 1);
  await page.keyboard.press("ArrowDown");
  expect((await boxOf(frameOf(crop))).y).toBeCloseTo(before.y + 1, 0);
  await page.keyboard.press("Shift+ArrowDown");
  expect((await boxOf(frameOf(crop))).y).toBeGreaterThan(before.y + 8);
  for (let step = 0; step < 60; step += 1) await page.keyboard.press("Shift+ArrowDown");
  const after = await boxOf(frameOf(crop));
  expect(after.y + after.height).toBeCloseTo(image.y + image.height, 0);
  await crop.getByRole("button", { name: "Use image" }).press("Enter");
  await expect(editing.getByRole("button", { name: "Replace thumbnail" })).toBeVisible();
  expect(await uploaded(page, "Thumbnail")).toEqual({ width: 600, height: 300, first: "blue", last: "blue" });
  await editing.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Playlist updated")).toBeVisible();
});
