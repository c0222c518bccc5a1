// The viewer app as it is kept on a phone: without a connection, installed, while it loads, and erased.
import { readFile } from "node:fs/promises";
import type { BrowserContext, Page } from "@playwright/test";
import { testApp } from "./support/content.ts";
import { imageFile } from "./support/files.ts";
import { tabTo } from "./support/focus.ts";
import { keepsLayout } from "./support/portal.ts";
import { Caller, join, type Person, send } from "./support/seed.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";
import { newerVersion, opened, phone } from "./support/viewer.ts";

const north = testApp();
let ada: Person;
let home: string;

test.beforeAll(async () => {
  ada = await join(north.server, north.seeded, "ada.phone@fans.example.com", "Ada Byron");
  home = `${north.server.url}/app/org/${north.seeded.org}`;
});

/** Empties the cache of the browser: what is left is what the worker keeps. */
async function forgetFiles(context: BrowserContext, page: Page): Promise<void> {
  const wire = await context.newCDPSession(page);
  await wire.send("Network.clearBrowserCache");
  await wire.detach();
}

/** The keys of the events that were not acknowledged yet. */
const waiting = (page: Page): Promise<number> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("vitrine.viewer.event.")).length);

test("after one visit the app opens without a connection", async ({ browser }) => {
  const page = await opened(browser, { ...phone, serviceWorkers: "allow" }, ada.token);
  const context = page.context();
  await page.goto(home);
  await expect(page.getByRole("link", { name: /Safety basics/ })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await forgetFiles(context, page);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText(/^You are offline\. This is what was loaded last\./)).toBeVisible();
  await expect(page.getByRole("link", { name: /Safety basics/ })).toBeVisible();
  await accessible(page);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Me", exact: true }).tap();
  await expect(page.getByRole("heading", { name: "Me" })).toBeVisible();
  await page.goto(`${home}/playlists/${north.seeded.playlists[1]}`);
  await expect(page.getByText(/^The server could not be reached\./)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Getting started" })).toBeVisible();
  await expect(page.getByText(/^You are offline/)).toBeHidden();
});

test("what is watched without a connection is counted once there is one", async ({ browser }) => {
  const { server, seeded, api, wire } = north;
  const bytes = await readFile(await imageFile());
  const image = await send(api, seeded.org, { bytes, name: "harbour.png", type: "image/png", title: "The harbour" });
  const playlist = { title: "On the road", privacy: "public", items: [image] };
  const { uid } = await api.call<{ uid: string }>("POST", "/v1/playlists", { playlist, orgId: seeded.org });
  const state = () => api.call<{ processing: string }>("GET", `/v1/content/${image}`);
  await expect.poll(async () => (await state()).processing, { timeout: 60_000 }).toBe("done");
  const views = async () => {
    const [begin, end] = [Date.now() - 86_400_000, Date.now() + 3_600_000].map((time) => new Date(time).toISOString());
    const query = `orgId=${seeded.org}&startTime=${begin}&endTime=${end}`;
    return (await api.call<{ views: number }>("GET", `/v1/analytics/content/${image}?${query}`)).views;
  };
  const grace = await join(server, seeded, "grace.phone@fans.example.com", "Grace Hopper");
  const page = await opened(browser, { ...phone, serviceWorkers: "allow" }, grace.token);
  const quiet = complaints(page);
  await page.goto(`${home}/playlists/${uid}`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await expect(page.getByRole("button", { name: "Zoom in" })).toBeVisible();
  expect(await views()).toBe(0);
  // Chromium sends requests that outlive their page even when it plays offline.
  wire.cut();
  await page.context().setOffline(true);
  const left = Date.now();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Zoom in" }).tap();
  // What makes the image fit again is above the bar, without scrolling.
  const [fit, bar] = [page.getByRole("button", { name: "Fit to screen" }), page.getByRole("navigation", { name: "Main" })];
  const [button, below] = [await fit.boundingBox(), await bar.boundingBox()];
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(below?.y ?? 0);
  await fit.tap();
  await expect.poll(() => waiting(page)).toBeGreaterThan(0);
  // A view counts after ten seconds.
  await expect.poll(() => Date.now() - left).toBeGreaterThan(11_000);

  // The events outlive the page.
  await page.goto(home);
  await expect(page.getByText(/^You are offline\. This is what was loaded last\./)).toBeVisible();
  expect(await waiting(page)).toBeGreaterThan(0);
  wire.mend();
  await page.context().setOffline(false);
  await expect.poll(() => waiting(page)).toBe(0);
  await expect.poll(views).toBe(1);
  quiet();
});

test("a newer version waits until the person wants it, and is taken by keyboard", async ({ browser }) => {
  const page = await opened(browser, { viewport: { width: 768, height: 1024 }, locale: "en-US", serviceWorkers: "allow" }, ada.token);
  const quiet = complaints(page);
  await page.goto(home);
  await expect(page.getByRole("link", { name: /Safety basics/ })).toBeVisible();
  await newerVersion(page);
  await expect(page.getByText("A new version is ready.")).toBeVisible();
  await accessible(page);
  await page.evaluate(() => document.body.setAttribute("data-mark", "same page"));
  await tabTo(page, page.getByRole("button", { name: "Later" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("A new version is ready.")).toBeHidden();
  await expect(page.locator("body")).toHaveAttribute("data-mark", "same page");

  // It still waits when the app is opened again.
  await page.reload();
  await tabTo(page, page.getByRole("button", { name: "Update" }));
  await page.evaluate(() => document.body.setAttribute("data-mark", "same page"));
  await page.keyboard.press("Enter");
  await expect(page.locator("body")).not.toHaveAttribute("data-mark", "same page");
  await expect(page.getByRole("link", { name: /Safety basics/ })).toBeVisible();
  await expect(page.getByText("A new version is ready.")).toBeHidden();
  quiet();
  await page.context().close();
});

test("the organisation's own app can be installed", async ({ browser }) => {
  const page = await opened(browser, { ...phone, serviceWorkers: "allow" }, ada.token);
  await page.goto(home);
  await expect(page.getByRole("link", { name: /Safety basics/ })).toBeVisible();
  const wire = await page.context().newCDPSession(page);
  const manifest = async () => wire.send("Page.getAppManifest");
  await expect.poll(async () => (await manifest()).url).toContain("/v1/install/");
  const { errors, data } = await manifest();
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? "{}")).toMatchObject({
    name: "Northwind Media",
    scope: "/app/",
    start_url: `/app/org/${north.seeded.org}`,
    display: "standalone",
  });
  const { installabilityErrors } = await wire.send("Page.getInstallabilityErrors");
  // The contexts of these journeys are private windows, which install nothing.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
});

test("screens keep their layout while they load", async ({ browser }) => {
  const { server, seeded } = north;
  const page = await opened(browser, phone, ada.token);
  await keepsLayout(page, [
    [server.url + new URL(seeded.joinUrl).pathname, "Northwind Media"],
    [home, "All playlists"],
    [`${home}/playlists/${seeded.playlists[1]}`, "Getting started"],
    [`${home}/me`, "Signed-in devices"],
    [`${home}/me/data`, "Profile"],
  ]);
});

test("an account is erased in Me", async ({ browser }) => {
  const { server, seeded, api } = north;
  const email = "mary.phone@fans.example.com";
  const mary = await join(server, seeded, email, "Mary Somerville");
  const page = await opened(browser, phone, mary.token);
  const quiet = complaints(page);
  // Opening Home saves a visit.
  const visited = page.waitForResponse((answer) => answer.url().endsWith("/progress") && answer.request().method() === "PUT");
  await page.goto(home);
  await visited;
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Me", exact: true }).tap();
  await page.getByRole("button", { name: "Erase my account" }).tap();
  const dialog = page.getByRole("dialog", { name: "Erase your account?" });
  await accessible(page);
  await dialog.getByRole("textbox").fill("someone.else@fans.example.com");
  await dialog.getByRole("button", { name: "Erase", exact: true }).tap();
  await expect(dialog.getByText("This is not the email address of your account.")).toBeVisible();
  await dialog.getByRole("textbox").fill(email);
  await dialog.getByRole("button", { name: "Erase", exact: true }).tap();
  await expect(page.getByText("Your account has been erased.")).toBeVisible();
  await expect(page).toHaveURL(/\/app\/sign-in/);
  await expect(new Caller(server, mary.token).call("GET", "/v1/profiles")).rejects.toThrow(/401/);
  const users = await api.call<{ data: { user: { email: string } }[] }>("GET", `/v1/organizations/${seeded.org}/users`);
  expect(users.data.map(({ user }) => user.email)).not.toContain(email);
  await page.goto(home);
  await expect(page).toHaveURL(/\/app\/sign-in/);
  quiet();
});
