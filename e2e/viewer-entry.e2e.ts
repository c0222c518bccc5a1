// Getting into the viewer app on a phone: from a joining link to a video by touch, with the code of the email.
import { devices, type Page } from "@playwright/test";
import { firstVisit } from "./support/first-visit.ts";
import { join, seed } from "./support/seed.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";
import { digitsFor, seconds } from "./support/viewer.ts";

/** Taps, and counts it. */
function tapping(page: Page) {
  let taps = 0;
  const tap = async (role: "button" | "link", name: string | RegExp) => {
    await page.getByRole(role, { name }).first().tap();
    taps += 1;
  };
  return { tap, count: () => taps };
}

test("a new person gets from the link to watching in six taps, without opening the email's link", async ({ browser, server }) => {
  const seeded = await seed(server, 1);
  const { defaultBrowserType: _, ...phone } = devices["Pixel 7"];
  const page = await (await browser.newContext({ ...phone, locale: "en-US" })).newPage();
  const isQuiet = complaints(page);
  const { tap, count } = tapping(page);
  await page.goto(seeded.joinUrl);
  await expect(page.getByText("Market briefings")).toBeVisible();
  await accessible(page);
  await tap("button", "Join");
  await page.getByLabel("Email").fill("entry.by.code@example.com");
  await accessible(page);
  await tap("button", "Send magic link");
  await page.getByLabel("Six-digit code").fill(await digitsFor(server, "entry.by.code@example.com"));
  await page.getByLabel("First name").fill("Victor");
  await page.getByLabel("Last name").fill("Fan");
  await accessible(page);
  await tap("button", "Continue");
  await accessible(page);
  await tap("button", "Yes, I agree");
  await tap("link", /Safety basics/);
  await expect(page).toHaveURL(/\/playlists\//);
  expect(count()).toBe(5);
  await page.locator("media-play-button").first().tap();
  await expect.poll(() => seconds(page)).toBeGreaterThan(0.5);
  isQuiet();
});

test("Home loads at most 120 kB of scripts in gzip, and a page with a video 160 kB", async ({ browser, server }) => {
  const seeded = await seed(server, 1);
  const fan = await join(server, seeded, "weighed@fans.example.com", "Wanda Weighs");
  const home = await firstVisit(browser, `${server.url}/app/org/${seeded.org}`, {
    token: fan.token,
    arrived: (page) => expect(page.getByRole("link", { name: /Market briefings/ }).first()).toBeVisible(),
  });
  console.log(`  Home: ${home.scriptGzipKb.toFixed(1)} kB`);
  expect(home.scriptGzipKb).toBeLessThanOrEqual(120);
  const watch = await firstVisit(browser, `${server.url}/app/org/${seeded.org}/playlists/${seeded.playlists[0]}`, {
    token: fan.token,
    arrived: (page) => expect(page.locator("media-play-button").first()).toBeVisible(),
  });
  console.log(`  Watching: ${watch.scriptGzipKb.toFixed(1)} kB`);
  expect(watch.scriptGzipKb).toBeLessThanOrEqual(160);
});

test("the page of a joining link loads at most 90 kB of scripts in gzip", async ({ browser, server }) => {
  const seeded = await seed(server, 0);
  const visit = await firstVisit(browser, seeded.joinUrl, {
    arrived: (page) => expect(page.getByRole("button", { name: "Join" })).toBeVisible(),
  });
  console.log(`  Joining: ${visit.scriptGzipKb.toFixed(1)} kB`);
  expect(visit.scriptGzipKb).toBeLessThanOrEqual(90);
});
