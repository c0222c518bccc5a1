// The weight of a first visit: every script and style a browser loads, counted on the wire.
import { firstVisit, type PageWeight } from "./support/first-visit.ts";
import type { Page } from "@playwright/test";
import { organisation, phone, shifted, tabOf, watchShift, wide } from "./support/portal.ts";
import { signIn } from "./support/seed.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

function within(visit: PageWeight, budget: { scripts: number; scriptKb: number; styleKb: number }): void {
  const { scripts, scriptKb, styleKb } = visit;
  console.log(`  ${scripts} scripts of ${scriptKb.toFixed(1)} kB, styles of ${styleKb.toFixed(0)} kB`);
  expect(scripts, "scripts").toBeLessThanOrEqual(budget.scripts);
  expect(scriptKb, "kB of scripts").toBeLessThanOrEqual(budget.scriptKb);
  expect(styleKb, "kB of styles").toBeLessThanOrEqual(budget.styleKb);
}

test("the sign-in loads few scripts, and little", async ({ browser, server }) => {
  const visit = await firstVisit(browser, `${server.url}/login`, {
    arrived: (page) => expect(page.getByLabel("Email")).toBeVisible(),
  });
  within(visit, { scripts: 12, scriptKb: 166, styleKb: 40 });
});

test("the home screen loads few scripts, and little", async ({ browser, server }) => {
  const person = await signIn(server, "first.visit@example.com", "Ada Byron");
  const org = await organisation(server, person, "First visit");
  const visit = await firstVisit(browser, `${server.url}/org/${org}/home`, {
    token: person.token,
    arrived: (page) => expect(page.getByText("Nothing has been watched yet")).toBeVisible(),
  });
  within(visit, { scripts: 20, scriptKb: 230, styleKb: 40 });
});

/** Holds back the application's first file; returns a function that lets it through. */
async function held(page: Page): Promise<() => void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route(/\/assets\/base-[^/]*\.js$/, async (route) => {
    await opened;
    await route.continue();
  });
  return open;
}

for (const [viewport, hasTouch] of [
  [phone, true],
  [wide, false],
  [wide, true],
] as const) {
  const by = hasTouch ? "touch" : "mouse";
  test(`the sign-in shows its title while the application loads, at ${viewport.width} px, by ${by}`, async ({ browser, server }) => {
    const page = await (await browser.newContext({ viewport, hasTouch, isMobile: hasTouch })).newPage();
    const quiet = complaints(page);
    await watchShift(page);
    const open = await held(page);
    await page.goto(`${server.url}/login`, { waitUntil: "commit" });
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expect(page.getByLabel("Email")).toBeHidden();
    await accessible(page);
    const before = await page.getByRole("heading", { name: "Sign in" }).boundingBox();
    open();
    await expect(page.getByLabel("Email")).toBeVisible();
    await expect(page.locator("#placeholder")).toHaveCount(0);
    const after = await page.getByRole("heading", { name: "Sign in" }).boundingBox();
    expect(after?.y).toBeCloseTo(before?.y ?? 0, -1);
    expect((await shifted(page)).sum).toBeLessThan(0.01);
    quiet();
    await page.context().close();
  });
}

test("a screen behind the sign-in shows the frame meanwhile, and reads its data once", async ({ browser, server }) => {
  const person = await signIn(server, "early.reads@example.com", "Grace Hopper");
  const org = await organisation(server, person, "Early reads");
  const page = await tabOf(browser, person);
  const quiet = complaints(page);
  const reads: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/v1/")) reads.push(pathname.replace(org, "org"));
  });
  const open = await held(page);
  await page.goto(`${server.url}/org/${org}/home`, { waitUntil: "commit" });
  await expect(page.locator("#placeholder").getByRole("status", { name: "Loading" })).toBeVisible();
  const early = ["/v1/profiles/roles/detailed", "/v1/profiles", "/v1/organizations/org/dashboard"];
  await expect.poll(() => reads).toEqual(early);
  await accessible(page);
  open();
  await expect(page.getByText("Nothing has been watched yet")).toBeVisible();
  await expect(page.locator("#placeholder")).toHaveCount(0);
  // What Home loads after its first paint comes later.
  await expect(page.getByText("Nothing needs your attention.")).toBeVisible();
  expect(reads.slice(0, early.length)).toEqual(early);
  expect(reads.filter((path) => early.includes(path))).toEqual(early);
  await page.getByRole("button", { name: "Collapse sidebar" }).click();
  await page.unrouteAll();
  const openAgain = await held(page);
  await page.reload({ waitUntil: "commit" });
  await expect(page.locator("#placeholder [data-collapsed]")).toBeVisible();
  openAgain();
  await expect(page.getByText("Nothing has been watched yet")).toBeVisible();
  quiet();
  await page.context().close();
});

for (const [file, name] of [
  [/\/assets\/(index|base)-[^/]*\.js$/, "the application"],
  [/\/assets\/login-page-[^/]*\.js$/, "the screen"],
] as const) {
  test(`a reload is offered if ${name} cannot be loaded`, async ({ browser, server }) => {
    const page = await (await browser.newContext({ viewport: phone })).newPage();
    await page.route(file, (route) => route.abort());
    await page.goto(`${server.url}/login`);
    await expect(page.getByRole("alert")).toContainText("Part of the app failed to load.");
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeHidden();
    await accessible(page);
    await page.unrouteAll();
    await page.getByText("Reload", { exact: true }).click();
    await expect(page.getByLabel("Email")).toBeVisible();
    await page.context().close();
  });
}

test("a session that ends while the application loads leaves nothing of its person", async ({ browser, server }) => {
  const person = await signIn(server, "ends.early@example.com", "Mary Somerville");
  const page = await tabOf(browser, person);
  await page.addInitScript(() => localStorage.setItem("accountId", "of Mary"));
  await page.route("**/v1/profiles/roles/detailed", (route) => route.fulfill({ status: 401, json: {} }));
  await page.goto(`${server.url}/settings`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByLabel("Email")).toBeVisible();
  expect(await page.evaluate(() => Object.values(localStorage))).not.toContain("of Mary");
  await page.context().close();
});
