// A new release while tabs are open: two real builds, a waiting worker, and people who choose when to update.
import { rm } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { type Release, release } from "./support/builds.ts";
import { Front } from "./support/front.ts";
import { founded, tabOf } from "./support/portal.ts";
import { type Person, signIn } from "./support/seed.ts";
import type { Server } from "./support/server.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

const banner = "A new version of the app is available!";

let old: Release;
let next: Release;
let front: Front;
let server: Server;
let owner: Person;

test.beforeAll(async () => {
  old = await release("2.2.4");
  next = await release("2.2.5");
  ({ front, server } = await Front.start(old.folder));
  owner = await signIn(server, "olga@northwind.example.com", "Olga Northwind");
  await founded(server, owner, "Northwind Media");
});

test.beforeEach(() => front.deploy(old.folder));

test.afterAll(async () => {
  await front?.stop();
  for (const built of [old, next]) if (built) await rm(built.folder, { recursive: true, force: true });
});

/** A tab on the profile, controlled by the worker of the deployed build. */
async function controlled(browser: Browser): Promise<Page> {
  const page = await tabOf(browser, owner, { serviceWorkers: "allow" });
  await page.goto(`${front.url}/user-profile`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.reload();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  return page;
}

/** Simulates returning to a tab. */
const showTab = (page: Page) => page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));

/** Returns to a tab until the new version is found: a check that was under way may have seen the old one. */
const announced = (page: Page) =>
  expect(async () => {
    await showTab(page);
    await expect(page.getByText(banner)).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 30_000 });

/** Sets a marker that a reload clears. */
const mark = (page: Page) => page.evaluate(() => document.body.setAttribute("data-mark", "same page"));
// While a new page loads it has no body yet.
const marked = (page: Page) =>
  page.evaluate(() => (document.body as HTMLElement | null)?.dataset["mark"] === "same page");

test("the banner offers the new version, Update activates it, and until then the old one works", async ({ browser }) => {
  const page = await controlled(browser);
  const quiet = complaints(page);
  const second = await page.context().newPage();
  await second.goto(`${front.url}/user-profile`);
  await expect(second.getByLabel("Company")).toHaveValue(/.+/);

  await test.step("no banner while there is nothing new", async () => {
    await showTab(page);
    await expect(page.getByLabel("Company")).toHaveValue(/.+/);
    await expect(page.getByText(banner)).toBeHidden();
  });

  await test.step("the release is found and announced", async () => {
    front.deploy(next.folder);
    await mark(page);
    await mark(second);
    await announced(page);
    await expect(page.getByRole("button", { name: "Update" })).toBeVisible();
    await accessible(page);
  });

  await test.step("the old tab keeps working with its own files, which the server no longer has", async () => {
    await page.getByRole("link", { name: "Settings" }).click();
    await expect(page.getByText("Version 2.2.4")).toBeVisible();
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.includes("settings-page")),
    );
    const script = loaded.find((name) => name.endsWith(".js"));
    expect(script).toContain("2.2.4");
    expect((await fetch(script!)).status).toBe(404);
    expect(await marked(page)).toBe(true);
  });

  await test.step("Update activates the waiting worker and reloads this tab, and only this one", async () => {
    await page.getByRole("button", { name: "Update" }).click();
    await expect(page.getByText("Version 2.2.5")).toBeVisible();
    expect(await marked(page)).toBe(false);
    await expect(page.getByText(banner)).toBeHidden();
    expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
    expect(await marked(second)).toBe(true);
    await expect(second.getByText(banner)).toBeVisible();
  });

  await test.step("the other tab follows on request", async () => {
    await second.getByRole("button", { name: "Update" }).click();
    await expect.poll(() => marked(second)).toBe(false);
    await second.getByRole("link", { name: "Settings" }).click();
    await expect(second.getByText("Version 2.2.5")).toBeVisible();
  });
  quiet();
  await page.context().close();
});

test("a tab of the first visit, not yet controlled by a worker, updates too", async ({ browser }) => {
  const page = await tabOf(browser, owner, { serviceWorkers: "allow" });
  await page.goto(`${front.url}/settings`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  front.deploy(next.folder);
  await announced(page);
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByText("Version 2.2.5")).toBeVisible();
  await page.context().close();
});

test("a chunk removed by the release offers Reload, which loads the new version once", async ({ browser }) => {
  const page = await controlled(browser);
  front.deploy(next.folder);
  const before = front.documents.length;
  await page.getByRole("link", { name: "Analytics" }).click();
  await expect(page.getByRole("heading", { name: "Error!" })).toBeVisible();
  await expect(page.getByText("Oops! We encountered an error.")).toBeVisible();
  await expect(page.getByText(/Reload to get the latest version/)).toBeVisible();
  await accessible(page);
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { name: "Reports" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Error!" })).toBeHidden();
  await page.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByText("Version 2.2.5")).toBeVisible();
  // The worker serves pages, so the server got no repeated document requests.
  expect(front.documents.length - before).toBeLessThanOrEqual(1);
  await page.context().close();
});
