// The portal with its service worker: which requests it handles, and offline behavior.
import type { Browser, Page } from "@playwright/test";
import { organisation, tabOf } from "./support/portal.ts";
import { type Person, signIn } from "./support/seed.ts";
import type { Server } from "./support/server.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

let owner: Person;
let org: string;

test.beforeAll(async ({ server }) => {
  owner = await signIn(server, "otto@northwind.example.com", "Otto Northwind");
  org = await organisation(server, owner, "Northwind Media");
});

/** A tab controlled by the worker. */
async function controlled(browser: Browser, server: Server): Promise<Page> {
  const page = await tabOf(browser, owner, { serviceWorkers: "allow" });
  await page.goto(`${server.url}/user-profile`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.reload();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  return page;
}

test("the worker answers navigations to screens, but not to API calls, files and other apps", async ({
  browser,
  server,
}) => {
  const page = await controlled(browser, server);
  const screen = await page.goto(`${server.url}/org/${org}/home`);
  expect(screen?.fromServiceWorker()).toBe(true);
  for (const [path, status] of [
    ["/v1/config", 200],
    ["/v1/nothing?x=1", 404],
    ["/app/", 200],
    ["/app/join/nothing", 200],
    ["/media/nothing/x", 403],
    ["/images/nothing.webp", 404],
    ["/sandbox/mail", 200],
    ["/.well-known/jwks.json", 200],
    ["/openapi.json", 200],
    ["/pricing", 200],
  ] as const) {
    const answer = await page.goto(server.url + path);
    expect(answer?.fromServiceWorker(), path).toBe(false);
    expect(answer?.status(), path).toBe(status);
    await expect(page.locator("script[src^='/assets/']"), path).toHaveCount(0);
  }
  await page.context().close();
});

test("going offline shows a notice and keeps the screen, and the notice disappears when online again", async ({
  browser,
  server,
}) => {
  const page = await controlled(browser, server);
  const company = page.getByLabel("Company");
  await expect(company).toHaveValue("Initech");
  const notice = page.getByRole("status").filter({ hasText: "You are offline." });
  await expect(notice).toHaveCount(0);
  await page.context().setOffline(true);
  await expect(notice).toBeVisible();
  await company.fill("Northwind");
  await accessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.context().setOffline(false);
  await expect(notice).toHaveCount(0);
  await expect(page.getByText("Profile updated successfully")).toBeVisible();
  await expect(company).toHaveValue("Northwind");
  await page.context().close();
});

test("a screen opened offline shows the offline shell with a retry", async ({ browser, server }) => {
  const page = await controlled(browser, server);
  const quiet = complaints(page);
  await page.context().setOffline(true);
  await page.goto(`${server.url}/org/${org}/home`);
  await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
  await expect(page).toHaveTitle("You are offline · Vitrine");
  await expect(page.getByText("Error bootstrapping app")).toHaveCount(0);
  await accessible(page);

  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Try again" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Still no connection.")).toBeVisible();

  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "Welcome, Otto!" })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(`/org/${org}/home`);
  quiet();
  await page.context().close();
});

test("an unreachable server causes one message and no flood of requests", async ({ browser, server }) => {
  const page = await controlled(browser, server);
  const calls = new Map<string, number>();
  await page.context().route("**/v1/**", (route) => {
    const { pathname } = new URL(route.request().url());
    calls.set(pathname, (calls.get(pathname) ?? 0) + 1);
    return route.abort("connectionrefused");
  });
  await page.goto(`${server.url}/user-profile`);
  await expect(page.getByRole("button", { name: "Reload" })).toBeVisible();
  await expect(page.getByText("Error bootstrapping app")).toHaveCount(1);
  await page.waitForLoadState("networkidle");
  // Each startup request is sent at most twice.
  for (const [path, times] of calls) expect(times, path).toBeLessThanOrEqual(2);
  expect(calls.size).toBeLessThanOrEqual(3);
  await page.context().unroute("**/v1/**");
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  await page.context().close();
});
