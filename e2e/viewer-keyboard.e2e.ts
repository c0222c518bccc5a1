// The viewer app by keyboard alone, and in two organisations.
import type { Page } from "@playwright/test";
import { tabThrough, tabTo } from "./support/focus.ts";
import { Caller, consent, join, seed } from "./support/seed.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";
import { digitsFor, opened, phone, seconds } from "./support/viewer.ts";

/** Goes to an element and presses it. */
async function press(page: Page, role: "button" | "link", name: string | RegExp): Promise<void> {
  await tabTo(page, page.getByRole(role, { name, exact: true }).first());
  await page.keyboard.press("Enter");
}

test("a person joins, watches and leaves by keyboard alone", async ({ browser, server }) => {
  const seeded = await seed(server, 1);
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US" })).newPage();
  const quiet = complaints(page);
  const email = "keys.only@fans.example.com";
  await page.goto(seeded.joinUrl);

  await test.step("join", async () => {
    await press(page, "button", "Join");
    await tabTo(page, page.getByLabel("Email"));
    await page.keyboard.type(email);
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByLabel("Six-digit code"));
    await page.keyboard.type(await digitsFor(server, email));
    await tabTo(page, page.getByLabel("First name"));
    await page.keyboard.type("Kay");
    await tabTo(page, page.getByLabel("Last name"));
    await page.keyboard.type("Board");
    await page.keyboard.press("Enter");
    await press(page, "button", "Yes, I agree");
  });

  await test.step("watch", async () => {
    await press(page, "link", /Safety basics/);
    const play = page.locator("media-controller media-play-button").first();
    await tabTo(page, play);
    await page.keyboard.press("Enter");
    await expect.poll(() => seconds(page)).toBeGreaterThan(0.5);
    // The keyboard is still at the player.
    await page.keyboard.press("k");
    await expect.poll(() => page.locator("video").evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("leave", async () => {
    await press(page, "link", "Me");
    await press(page, "button", "Leave organization");
    const dialog = page.getByRole("dialog", { name: "Leave Northwind Media?" });
    await expect(dialog).toBeVisible();
    await accessible(page);
    await tabTo(page, dialog.getByRole("button", { name: "Leave", exact: true }));
    await page.keyboard.press("Enter");
    await expect(page.getByText("You have not joined an organization yet")).toBeVisible();
  });
  quiet();
});

test("a member of two organisations switches between them, and each has its own brand and app", async ({ browser, server }) => {
  const [north, south] = [await seed(server, 0), await seed(server, 0)];
  const api = new Caller(server, south.owner.token);
  const theme = { primaryColor: "#0b3d2e", secondaryColor: "#f2c14e", brandTextColor: "#ffffff" };
  await api.call("PATCH", `/v1/organizations/${south.org}`, { organisation: { name: "Southwind Films", theme } });
  const ada = await join(server, north, "ada.switches@fans.example.com", "Ada Byron");
  await consent(server, ada, south);

  const page = await opened(browser, phone, ada.token);
  const quiet = complaints(page);
  const manifest = () => page.locator('link[rel="manifest"]').getAttribute("href");
  const bar = () => page.locator("header").first().evaluate((header) => getComputedStyle(header).backgroundColor);
  await page.goto(`${server.url}/app/org/${north.org}`);
  await expect(page).toHaveTitle("Northwind Media");
  const before = { manifest: await manifest(), bar: await bar() };
  await page.getByRole("combobox", { name: "Organization" }).selectOption({ label: "Southwind Films" });
  await expect(page).toHaveURL(new RegExp(`/app/org/${south.org}$`));
  await expect(page).toHaveTitle("Southwind Films");
  await expect(page.getByRole("region", { name: "All playlists" }).getByRole("link").first()).toHaveAttribute(
    "href",
    new RegExp(`^/app/org/${south.org}/playlists/`),
  );
  expect(await bar()).toBe("rgb(11, 61, 46)");
  expect(before.bar).not.toBe("rgb(11, 61, 46)");
  expect(await manifest()).not.toBe(before.manifest);
  await accessible(page);
  await page.screenshot({ path: "test-results/switcher.png" });
  // The next visit begins where this one ended.
  await page.goto(`${server.url}/app/`);
  await expect(page).toHaveURL(new RegExp(`/app/org/${south.org}$`));
  await page.goBack();
  await expect(page).toHaveTitle("Southwind Films");
  quiet();
});

test("every stop of the keyboard shows the focus, on every screen, in light and dark", async ({ browser, server }) => {
  const seeded = await seed(server, 0);
  const grace = await join(server, seeded, "grace.focus@fans.example.com", "Grace Hopper");
  const app = `${server.url}/app/org/${seeded.org}`;
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await opened(browser, { viewport: { width: 1440, height: 900 }, colorScheme }, grace.token);
    for (const [address, stops] of [
      [app, 6],
      [`${app}/playlists/${seeded.playlists[1]}`, 6],
      [`${app}/search?q=market`, 5],
      [`${app}/me`, 10],
      [`${app}/me/data`, 6],
      [`${server.url}/app/details`, 6],
      [seeded.joinUrl, 1],
    ] as const) {
      await page.goto(address);
      await page.waitForLoadState("networkidle");
      await page.locator("h1").first().waitFor({ state: "attached" });
      expect(await tabThrough(page), address).toBeGreaterThanOrEqual(stops);
    }
    const out = await (await browser.newContext({ colorScheme })).newPage();
    await out.goto(`${server.url}/app/sign-in`);
    await expect(out.getByLabel("Email")).toBeVisible();
    expect(await tabThrough(out)).toBeGreaterThanOrEqual(3);
  }
});
