// The three wizards, on desktop and phone, by mouse, touch and keyboard alone.
import type { Page } from "@playwright/test";
import { fits, holds, testApp, itemsOf, openWizard, playlistOf, touchable, upToUpload } from "./support/content.ts";
import { video, imageFile, audio } from "./support/files.ts";
import { phone, tabOf } from "./support/portal.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";
import { tabTo } from "./support/ways-in.ts";

const here = testApp();

for (const finger of [false, true]) {
  const where = finger ? "a phone" : "a desk";
  test(`a playlist, a file and a video through their wizards at ${where}`, async ({ browser }) => {
    const page = await tabOf(browser, here.seeded.owner, finger ? { viewport: phone, hasTouch: true } : {});
    const quiet = complaints(page);
    const good = async (): Promise<void> => {
      await fits(page);
      if (!finger) return;
      await touchable(page);
      await accessible(page);
    };
    await page.goto(here.at());
    const creating = await openWizard(page, "Add playlist");
    const next = creating.getByRole("button", { name: "Next", exact: true });
    await next.click();
    await expect(creating.getByText("Title is required")).toBeVisible();
    await expect(page.getByText("Invalid Form")).toBeVisible();
    await creating.getByLabel("Title").fill("Field notes");
    await creating.getByLabel("Contact email").fill("notes");
    await next.click();
    await expect(creating.getByText("Invalid email!")).toBeVisible();
    await creating.getByLabel("Contact email").fill("notes@northwind.example.com");
    await creating.getByLabel("Contact phone").fill("+44 20 7946 0958");
    await creating.locator('input[type="file"]').setInputFiles(await imageFile());
    await page.getByRole("dialog", { name: "Crop thumbnail" }).getByRole("button", { name: "Use image" }).click();
    await expect(creating.getByRole("button", { name: "Replace thumbnail" })).toBeVisible();
    await good();
    await next.click();
    await expect(creating.getByText("notes@northwind.example.com")).toBeVisible();
    await creating.getByRole("button", { name: "Back" }).click();
    await expect(creating.getByLabel("Title")).toHaveValue("Field notes");
    await next.click();
    await good();
    await creating.getByRole("button", { name: "Finish" }).click();
    await expect(creating.getByText("Playlist added!")).toBeVisible();
    await expect(page.getByText("Playlist created")).toBeVisible();
    await good();

    await creating.getByRole("button", { name: "Add file" }).click();
    const wizard = page.getByRole("dialog", { name: "Add file" });
    await expect(wizard.getByText("Drop files here, or choose them")).toBeVisible();
    await good();
    await upToUpload(wizard, video, "A walk");
    await good();
    await wizard.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(wizard.getByText("Upload successful!")).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText("Added content.")).toBeVisible();
    await good();
    await done(page);

    const embedding = await openWizard(page, "Add video");
    await embedding.getByLabel("Video URL").fill("https://example.com/film");
    await embedding.getByRole("button", { name: "Next", exact: true }).click();
    await expect(embedding.getByText("URL is invalid.")).toBeVisible();
    await good();
    await embedding.getByLabel("Video URL").fill("https://youtu.be/dQw4w9WgXcQ");
    await embedding.getByRole("button", { name: "Next", exact: true }).click();
    await expect(embedding.getByLabel("Title")).toHaveValue("Video dQw4w9WgXcQ");
    await embedding.getByLabel("Title").clear();
    await embedding.getByRole("button", { name: "Next", exact: true }).click();
    await expect(embedding.getByText("Title is required")).toBeVisible();
    await embedding.getByLabel("Title").fill("From elsewhere");
    await embedding.getByRole("button", { name: "Next", exact: true }).click();
    await expect(embedding.getByText("https://youtu.be/dQw4w9WgXcQ")).toBeVisible();
    await embedding.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(embedding.getByText("Upload successful!")).toBeVisible();
    await done(page);

    const playlist = page.url().match(/playlists\/([0-9a-f-]+)/)![1]!;
    const items = await itemsOf(here, playlist);
    expect(items.map(({ title, kind }) => [title, kind])).toEqual([
      ["A walk", "video"],
      ["From elsewhere", "embed"],
    ]);
    await holds(here, items[0]!, video);
    await expect(page.getByText("2 items")).toBeVisible();
    await fits(page);
    await accessible(page);
    quiet();
  });
}

async function done(page: Page): Promise<void> {
  const wizard = page.getByRole("dialog");
  await wizard.getByRole("button", { name: "Done" }).last().click();
  await expect(wizard).toBeHidden();
}

test("a file is added by keyboard alone, and focus is never lost", async ({ browser }) => {
  const playlist = await playlistOf(here, "By keyboard");
  const page = await tabOf(browser, here.seeded.owner);
  await page.goto(here.at(`/${playlist}`));
  const add = page.getByRole("button", { name: "Add", exact: true });
  await expect(add).toBeVisible();
  await tabTo(page, add);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Add file" })).toBeFocused();
  await page.keyboard.press("Enter");
  const wizard = page.getByRole("dialog", { name: "Add file" });
  // In one of many runs the first key opened nothing; the cause is not known.
  await expect(async () => {
    await expect(wizard.locator('input[type="file"]')).toBeFocused();
    const opened = page.waitForEvent("filechooser", { timeout: 3_000 });
    const [chooser] = await Promise.all([opened, page.keyboard.press("Enter")]);
    await chooser.setFiles(audio);
  }).toPass({ timeout: 30_000 });
  await expect(wizard.getByText("sound.mp3")).toBeVisible();
  await tabTo(page, wizard.getByRole("button", { name: "Next", exact: true }));
  await page.keyboard.press("Enter");
  await expect(wizard.getByLabel("Title")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("A song");
  await page.keyboard.press("Enter");
  await expect(wizard.getByText("Visibility")).toBeVisible();
  await tabTo(page, wizard.getByRole("button", { name: "Upload", exact: true }));
  await page.keyboard.press("Enter");
  await expect(wizard.getByText("Upload successful!")).toBeVisible({ timeout: 60_000 });
  await tabTo(page, wizard.getByRole("button", { name: "Done", exact: true }));
  await page.keyboard.press("Enter");
  await expect(wizard).toBeHidden();
  await expect(page.getByRole("button", { name: "A song", exact: true })).toBeVisible();
});
