// The shell of the portal: sidebar, drawer, organisations, crashes, theme, and every screen at both widths.
import type { Browser, Page } from "@playwright/test";
import { organisation, phone, shifted, tabOf, watchShift, wide } from "./support/portal.ts";
import { type Person, signIn } from "./support/seed.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

let owner: Person;
let stranger: Person;
let org: string;
let other: string;

test.beforeAll(async ({ server }) => {
  owner = await signIn(server, "alexandra.k@northwind.example.com", "Alexandra Konstantinou");
  stranger = await signIn(server, "sam@elsewhere.example.com", "Sam Stranger");
  org = await organisation(server, owner, "Northwind Media");
  other = await organisation(server, owner, "The Honourable Company of Film Makers");
});

const rail = (page: Page) => page.getByRole("navigation", { name: "Main" }).locator("xpath=ancestor::div[2]");
const menuOf = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link").allTextContents();

test("the sidebar is 270 or 90 px wide, and the button fades for 0.6 s unless reduced motion is set", async ({
  browser,
  server,
}) => {
  const page = await tabOf(browser, owner);
  await page.goto(`${server.url}/user-profile`);
  expect((await rail(page).boundingBox())?.width).toBe(270);
  const fade = (target: Page, name: string) =>
    target.getByRole("button", { name }).evaluate((button) => {
      const style = getComputedStyle(button);
      return [style.animationName !== "none", Number.parseFloat(style.animationDuration)];
    });
  expect(await fade(page, "Collapse sidebar")).toEqual([true, 0.6]);
  await page.getByRole("button", { name: "Collapse sidebar" }).click();
  await expect.poll(async () => (await rail(page).boundingBox())?.width).toBe(90);
  expect(await fade(page, "Expand sidebar")).toEqual([true, 0.6]);
  await expect(page.getByRole("button", { name: "Expand sidebar" })).toBeFocused();
  expect((await menuOf(page)).join("")).toBe("");
  await page.getByRole("link", { name: "Billing" }).hover();
  await expect(page.getByRole("tooltip", { name: "Billing" })).toBeVisible();
  await accessible(page);

  await page.emulateMedia({ reducedMotion: "reduce" });
  expect((await fade(page, "Expand sidebar"))[1]).toBeLessThan(0.001);

  // Remembered, and narrow from the first paint.
  await watchShift(page);
  await page.reload();
  await expect(page.getByLabel("Company")).toHaveValue(/.+/);
  expect((await rail(page).boundingBox())?.width).toBe(90);
  const moved = await shifted(page);
  expect(moved.sum, moved.what.join()).toBeLessThan(0.005);
  await page.context().close();
});

test("on a small screen the sidebar is a drawer that traps focus and returns it", async ({ browser, server }) => {
  const page = await tabOf(browser, owner, { viewport: phone });
  await page.goto(`${server.url}/user-profile`);
  await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
  const opener = page.getByRole("button", { name: "Open menu" });
  await opener.click();
  const drawer = page.getByRole("dialog", { name: "Menu" });
  await expect(drawer.getByRole("link", { name: "Settings" })).toBeVisible();
  await accessible(page);

  const inside = () => drawer.evaluate((box) => box.contains(document.activeElement));
  for (let step = 0; step < 16; step += 1) {
    await page.keyboard.press("Tab");
    expect(await inside(), `Tab ${step}`).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(opener).toBeFocused();

  await opener.press("Enter");
  await drawer.getByRole("link", { name: "Settings" }).press("Enter");
  await expect(drawer).toBeHidden();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeFocused();
  await page.context().close();
});

test("the skip link skips the menu, and focus moves to the heading of each new screen", async ({ browser, server }) => {
  const page = await tabOf(browser, owner);
  await page.goto(`${server.url}/user-profile`);
  await expect(page.getByLabel("Company")).toHaveValue(/.+/);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip navigation" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Choose image" })).toBeFocused();
  await page.getByRole("link", { name: "Billing" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Billing" })).toBeFocused();
  await expect(page).toHaveTitle("Billing · Vitrine");
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeFocused();
  await page.context().close();
});

test("an organisation chosen in the menu opens in a new tab; this tab keeps its organisation", async ({ browser, server }) => {
  const page = await tabOf(browser, owner);
  await page.goto(`${server.url}/org/${org}/home`);
  const head = page.getByRole("button", { name: /choose organization/ });
  await expect(head).toHaveText("AKAlexandra Konstant...Northwind Media");
  await head.press("Enter");
  const items = page.getByRole("menuitem");
  await expect(items).toHaveText(["Northwind Media", "The Honourable Company of Film Makers"]);
  await expect(items.locator("img").first()).toHaveJSProperty("complete", true);
  expect(await items.locator("img").evaluateAll((all) => all.map((img) => (img as HTMLImageElement).naturalWidth > 0))).toEqual([true, true]);
  await accessible(page);
  const [opened] = await Promise.all([page.context().waitForEvent("page"), items.nth(1).click()]);
  await opened.waitForURL(`${server.url}/org/${other}/home`);
  await expect(opened.getByRole("button", { name: /choose organization/ })).toHaveText(/The Honourable Com\.\.\.$/);
  expect(new URL(page.url()).pathname).toBe(`/org/${org}/home`);
  await expect(head).toHaveText(/Northwind Media$/);
  await page.getByRole("link", { name: "Content", exact: true }).click();
  await page.waitForURL(`${server.url}/org/${org}/playlists`);
  await page.context().close();
});

test("a team user has six menu items, reaches Analytics and Leads by URL, and gets the 404 page elsewhere", async ({
  browser,
  server,
}) => {
  const page = await tabOf(browser, owner);
  // The server's rights are tested there; here the portal gets a lower role.
  await page.route("**/v1/profiles/roles/detailed", async (route) => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { data: { role: string; organisation: { uid: string } }[] };
    const mine = data.filter(({ organisation }) => organisation.uid === org);
    await route.fulfill({ json: { data: mine.map((one) => ({ ...one, role: "teamUser" })) } });
  });
  await page.goto(`${server.url}/`);
  await page.waitForURL(`${server.url}/org/${org}/home`);
  expect(await menuOf(page)).toEqual(["Home", "Content", "Profile", "Organization", "Billing", "Settings"]);
  const missing = page.getByRole("heading", { name: "Oops! Page Not Found" });
  for (const path of ["analytics", "leads", "playlists"]) {
    await page.goto(`${server.url}/org/${org}/${path}`);
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
    await expect(missing, path).toHaveCount(0);
  }
  for (const path of [`/org/${org}/users`, `/org/${org}/profile`, `/org/${other}/home`, "/no-such-page"]) {
    await page.goto(server.url + path);
    await expect(missing, path).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
  }
  await page.context().close();
});

test("a response that cannot be rendered shows the crash screen, and Reload reloads", async ({ browser, server }) => {
  const page = await tabOf(browser, owner);
  const broken = "**/v1/organizations/*/dashboard";
  await page.route(broken, (route) => route.fulfill({ json: { totalStats: {}, popularContent: 7 } }));
  await page.goto(`${server.url}/org/${org}/home`);
  await expect(page.getByRole("heading", { name: "Error!" })).toBeVisible();
  await expect(page.getByText("Oops! We encountered an error.")).toBeVisible();
  await expect(page).toHaveTitle("Error! · Vitrine");
  await accessible(page);
  await page.unroute(broken);
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Reload" }).click()]);
  await expect(page.getByRole("heading", { name: "Welcome, Alexandra!" })).toBeVisible();
  await page.context().close();
});

test("a screen whose files cannot be loaded is reloaded once at most, then offers Reload", async ({ browser, server }) => {
  const page = await tabOf(browser, owner);
  await page.goto(`${server.url}/user-profile`);
  await expect(page.getByLabel("Company")).toHaveValue(/.+/);
  let documents = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  const files = /\/assets\/billing-page-.*\.js$/;
  await page.route(files, (route) => route.fulfill({ status: 404, body: "" }));
  await page.getByRole("link", { name: "Billing" }).click();
  await expect(page.getByRole("heading", { name: "Error!" })).toBeVisible();
  await expect(page.getByText(/failed to load/)).toBeVisible();
  expect(documents).toBeLessThanOrEqual(1);
  await page.unroute(files);
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { name: "Billing", exact: true })).toBeVisible();
  await page.context().close();
});

test("the theme is chosen in the sidebar, remembered, and applied before the app's first script runs", async ({
  browser,
  server,
}) => {
  const page = await tabOf(browser, owner);
  await page.goto(`${server.url}/user-profile`);
  const canvas = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await canvas();
  await page.getByRole("button", { name: "Theme" }).press("Enter");
  await accessible(page);
  await page.getByRole("menuitem", { name: "Dark" }).press("Enter");
  await expect.poll(canvas).toBe("rgb(14, 14, 18)");
  expect(light).toBe("rgb(250, 250, 251)");

  // Without the app's scripts: even the first paint is dark.
  await page.route(/\/assets\/index-.*\.js$/, (route) => route.abort());
  await page.reload();
  expect(await canvas()).toBe("rgb(14, 14, 18)");
  await page.unrouteAll();

  // The list arrives in the middle of a press.
  let arrive = () => {};
  const arriving = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/assets\/scheme-switch-.*\.js$/, async (route) => {
    await arriving;
    await route.continue();
  });
  await page.reload();
  const theme = page.getByRole("button", { name: "Theme" });
  await theme.hover();
  await page.mouse.down();
  arrive();
  const system = page.getByRole("menuitem", { name: "System" });
  await expect(system).toBeVisible();
  await page.mouse.up();
  await page.keyboard.press("Escape");
  await expect(theme).toBeFocused();
  await theme.click();
  await system.click();
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(canvas).toBe(light);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(canvas).toBe("rgb(14, 14, 18)");
  await page.context().close();
});

test("orange first, purple second, and one typeface throughout", async ({ browser, server }) => {
  const page = await tabOf(browser, owner);
  await page.goto(`${server.url}/user-profile`);
  const save = page.getByRole("button", { name: "Save" });
  await expect(save).toHaveCSS("background-color", "rgb(202, 69, 0)");
  const marked = await page.evaluate(() => getComputedStyle(document.body, "::selection").backgroundColor);
  expect(marked).toBe("rgb(209, 191, 255)");
  const families = await page.evaluate(() => [
    ...new Set([...document.body.querySelectorAll("*")].map((node) => getComputedStyle(node).fontFamily)),
  ]);
  expect(families).toHaveLength(1);
  expect(families[0]).toMatch(/^"?Inter Variable"?.*sans-serif$/);
  await page.context().close();
});

/** Opens a screen and checks its title, its single heading, layout shift and axe. */
async function inspected(browser: Browser, url: string, person: Person, title: string, heading: string | RegExp) {
  for (const viewport of [wide, phone]) {
    const page = await tabOf(browser, person, { viewport });
    const quiet = complaints(page);
    await watchShift(page);
    await page.goto(url);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    const moved = await shifted(page);
    expect(moved.sum, `${viewport.width}: ${moved.what.join(" | ")}`).toBeLessThan(0.005);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${viewport.width}`).toBeLessThanOrEqual(0);
    await accessible(page);
    quiet();
    await page.context().close();
  }
}

test.describe("every screen of the shell, wide and narrow, light and dark", () => {
  test("profile", async ({ browser, server }) => {
    await inspected(browser, `${server.url}/user-profile`, owner, "Profile · Vitrine", "Profile");
  });
  test("first onboarding step", async ({ browser, server }) => {
    const url = `${server.url}/on-boarding/details/user`;
    await inspected(browser, url, stranger, "Tell us about you · Vitrine", "Tell us about you");
  });
  test("second onboarding step", async ({ browser, server }) => {
    const url = `${server.url}/on-boarding/details/company`;
    await inspected(browser, url, stranger, "You are almost there! · Vitrine", "You are almost there!");
  });
  test("no plan", async ({ browser, server }) => {
    const title = "No active plan detected";
    await inspected(browser, `${server.url}/no-plan`, stranger, `${title} · Vitrine`, title);
  });
  test("404 page", async ({ browser, server }) => {
    const title = "Oops! Page Not Found";
    await inspected(browser, `${server.url}/no-such-page`, owner, `${title} · Vitrine`, title);
  });
});
