// A plan from purchase to its end: a declined card, changes of plan, a second organization, an unpaid invoice.
import type { Browser, Page } from "@playwright/test";
import { fits } from "./support/content.ts";
import { declined, pay, works } from "./support/payment.ts";
import { organisation, phone, tabOf } from "./support/portal.ts";
import { Caller, linkSignIn, type Person, signIn } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

/** Opens the payment provider's page from /billing. */
async function provider(page: Page, server: Server, account: string): Promise<Page> {
  await page.goto(`${server.url}/billing`);
  const opened = page.context().waitForEvent("page");
  await page.getByRole("button", { name: new RegExp(`^${account}`) }).click();
  const tab = await opened;
  await tab.waitForURL(/\/sandbox\/portal\//);
  return tab;
}

/** Reloads until the screen shows this: the provider's event may still be on its way. */
async function reloaded(page: Page, check: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.reload();
    await check();
  }).toPass({ timeout: 90_000 });
}

const planOf = (page: Page) => page.getByRole("list", { name: "Plans" }).getByRole("listitem").first();

test("a declined card is retried, and a double click makes one account", async ({ browser, server }) => {
  const ada = await signIn(server, "ada@life.example", "Ada Byron");
  const page = await tabOf(browser, ada, { viewport: phone });
  const untroubled = complaints(page);
  await page.goto(`${server.url}/no-plan`);
  await expect(page.getByRole("heading", { name: "No active plan detected" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Choose Essentials Monthly" })).toBeVisible();
  await fits(page);
  await accessible(page);
  await page.getByRole("link", { name: "Choose Essentials Monthly" }).click();
  await page.getByRole("link", { name: /^Business/ }).click();
  const bought = page.getByRole("region", { name: "Your plan" });
  await expect(bought.getByRole("heading", { name: "Essentials Monthly" })).toBeVisible();
  await expect(bought).toContainText("US$49 per month");
  await fits(page);
  await accessible(page);
  for (const [label, value] of [
    ["Payee name", "Northwind Ltd"],
    ["Payee email", ada.email],
    ["Phone", "+44 20 7946 0958"],
    ["Nick name", "Northwind"],
  ] as const) {
    await page.getByLabel(label).fill(value);
  }
  await page.getByRole("button", { name: "Continue" }).dblclick();
  await pay(page, declined);
  await page.waitForURL(/\/billing\/cancelled$/);
  await expect(page.getByRole("heading", { name: "Payment Failed for Essentials Monthly" })).toBeVisible();
  await fits(page);
  await accessible(page);
  const accounts = await new Caller(server, ada.token).call<{ data: { uid: string }[] }>("GET", "/v1/accounts");
  expect(accounts.data).toHaveLength(1);

  await page.getByRole("link", { name: "Retry Payment" }).click();
  await expect(page.getByRole("radio", { name: /^Northwind/ })).toBeChecked();
  await page.getByRole("button", { name: "Continue" }).dblclick();
  await pay(page, works);
  await page.waitForURL(/\/org\/[^/]+\/profile$/);
  const provisions = await new Caller(server, ada.token).call<{ data: { active: boolean }[] }>(
    "GET",
    `/v1/accounts/${accounts.data[0]!.uid}/provisions`,
  );
  expect(provisions.data.filter(({ active }) => active)).toHaveLength(1);
  untroubled();
});

test("a business account has one organization, and becomes an agency on the page that says so", async ({
  browser,
  server,
}) => {
  const bea = await signIn(server, "bea@life.example", "Bea Bird");
  const org = await organisation(server, bea, "First");
  const page = await tabOf(browser, bea, { viewport: phone });
  await page.goto(`${server.url}/select-billing-account?planId=professional-annual`);
  await page.getByRole("button", { name: "Continue" }).click();
  const sentence = page.getByText(/^This business account can have one organization\./);
  await expect(sentence).toBeVisible();
  await expect(sentence).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await fits(page);
  await accessible(page);
  await page.getByRole("button", { name: "Change account type" }).click();
  const dialog = page.getByRole("dialog", { name: "Billing details" });
  await dialog.getByRole("combobox", { name: "Account type" }).click();
  await page.getByRole("option", { name: "Agency" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await pay(page, works);
  await page.waitForURL(/\/org\/[^/]+\/profile$/);
  expect(page.url()).not.toContain(org);
});

test("the plan is upgraded at once, and ends with the period if it is canceled", async ({ browser, server }) => {
  const cy = await signIn(server, "cy@life.example", "Cy Young");
  await organisation(server, cy, "Growing");
  const page = await tabOf(browser, cy);
  const card = await provider(page, server, "Growing");
  await card.getByText("Change plan").click();
  await card.getByRole("button", { name: "Upgrade to Professional Monthly" }).click();
  await reloaded(page, () => expect(planOf(page)).toContainText(/^Professional Monthly/, { timeout: 10_000 }));
  await expect(planOf(page)).toContainText("1 of 50");

  await card.getByRole("button", { name: "Cancel at period end" }).click();
  await reloaded(page, () => expect(planOf(page)).toContainText(/Ends on \d+ \w+ \d{4}/, { timeout: 10_000 }));
  await card.getByRole("button", { name: "Keep the plan" }).click();
  await reloaded(page, () => expect(planOf(page)).toContainText(/Renews on \d+ \w+ \d{4}/, { timeout: 10_000 }));
});

test("a blocked tab leaves a link", async ({ browser, server }) => {
  const dan = await signIn(server, "dan@life.example", "Dan Day");
  await organisation(server, dan, "Blocked");
  const page = await tabOf(browser, dan, { viewport: phone });
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(`${server.url}/billing`);
  await page.getByRole("button", { name: /^Blocked/ }).dblclick();
  const link = page.getByRole("link", { name: "Open the billing page" });
  await expect(link).toHaveAttribute("href", /\/sandbox\/portal\//);
  await fits(page);
  await accessible(page);
});

/** Opens the home of the organization for the person, whose session ended while time passed. */
async function homeOf(browser: Browser, server: Server, { email }: Person, org: string): Promise<Page> {
  const page = await tabOf(browser, await linkSignIn(server, email), { viewport: phone });
  await page.goto(`${server.url}/org/${org}/home`);
  return page;
}

/** Runs a journey on a server whose clock it may move. */
async function clocked(journey: (server: Server, advance: (days: number) => Promise<unknown>) => Promise<void>) {
  const server = await Server.start();
  const advance = (advanceDays: number) => new Caller(server).call("POST", "/sandbox/api/clock", { advanceDays });
  try {
    await journey(server, advance);
  } finally {
    await server.stop();
  }
}

/** Changes the card on the provider's page. */
async function changeCard(portal: Page, card: string): Promise<void> {
  await portal.getByText("Change card").click();
  await portal.getByLabel("Card number").fill(card);
  await portal.getByLabel("Expiry").fill("12 / 30");
  await portal.getByLabel("CVC").fill("123");
  await portal.getByLabel("Name on card").fill("Eve Evans");
  await portal.getByRole("button", { name: "Save card" }).click();
  await expect(portal.getByText("Will be declined")).toHaveCount(card === declined ? 1 : 0);
}

test("an unpaid invoice is announced, suspends the organization, and is paid", async ({ browser }) => {
  await clocked(async (server, advance) => {
    // Otherwise the provider ends the subscription with its last attempt.
    await new Caller(server).call("POST", "/sandbox/api/stripe", { afterRetries: "past_due" });
    const eve = await signIn(server, "eve@life.example", "Eve Evans");
    const org = await organisation(server, eve, "Late");
    const first = await tabOf(browser, eve);
    const card = await provider(first, server, "Late");
    await changeCard(card, declined);
    await first.context().close();

    await advance(32);
    let page = await homeOf(browser, server, eve, org);
    const banner = () => page.getByRole("region", { name: "Plan", exact: true });
    await reloaded(page, () => expect(banner()).toContainText("The last payment for Late failed.", { timeout: 10_000 }));
    await expect(banner()).toContainText(/It will be suspended on \d+ \w+ \d{4} unless the open invoice is paid\./);
    await fits(page);
    await accessible(page);
    await banner().getByRole("button", { name: "Hide" }).click();
    await expect(banner()).toHaveCount(0);
    await page.context().close();

    await advance(16);
    page = await homeOf(browser, server, eve, org);
    await reloaded(page, () => expect(banner()).toContainText("Late is suspended", { timeout: 10_000 }));
    await expect(banner()).toContainText(/It will be closed on \d+ \w+ \d{4} unless the open invoice is paid\./);
    await expect(banner().getByRole("button", { name: "Hide" })).toHaveCount(0);
    await fits(page);
    await accessible(page);
    const opened = page.context().waitForEvent("page");
    await banner().getByRole("button", { name: "Pay now" }).dblclick();
    const portal = await opened;
    await portal.waitForURL(/\/sandbox\/portal\//);
    await changeCard(portal, works);
    await portal.getByRole("button", { name: /^Pay / }).click();
    await reloaded(page, () => expect(banner()).toHaveCount(0, { timeout: 10_000 }));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.context().close();
  });
});

test("a plan that the provider gave up is bought again from the banner", async ({ browser }) => {
  await clocked(async (server, advance) => {
    const hal = await signIn(server, "hal@life.example", "Hal Hill");
    const org = await organisation(server, hal, "Lapsed");
    const first = await tabOf(browser, hal);
    await changeCard(await provider(first, server, "Lapsed"), declined);
    await first.context().close();
    await advance(48);
    const page = await homeOf(browser, server, hal, org);
    const banner = page.getByRole("region", { name: "Plan", exact: true });
    await reloaded(page, () => expect(banner).toContainText(/unless you buy a plan again\./, { timeout: 10_000 }));
    await expect(banner.getByRole("button", { name: "Pay now" })).toHaveCount(0);
    await fits(page);
    await accessible(page);
    await banner.getByRole("link", { name: "View Plans" }).click();
    await page.getByRole("link", { name: /Professional Monthly/ }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await pay(page, works);
    await page.waitForURL(new RegExp(`/org/${org}/profile$`));
    await expect(banner).toHaveCount(0);
  });
});

test("a smaller plan starts with the next period", async ({ browser }) => {
  await clocked(async (server, advance) => {
    const fay = await signIn(server, "fay@life.example", "Fay Fox");
    await organisation(server, fay, "Shrinking");
    let page = await tabOf(browser, fay, { viewport: phone });
    const card = await provider(page, server, "Shrinking");
    await card.getByText("Change plan").click();
    await card.getByRole("button", { name: "Upgrade to Professional Monthly" }).click();
    await card.getByText("Change plan").click();
    await card.getByRole("button", { name: "Switch to Essentials Monthly" }).click();
    const announced = /Changes to Essentials Monthly on \d+ \w+ \d{4}/;
    await reloaded(page, () => expect(planOf(page)).toContainText(announced, { timeout: 10_000 }));
    await expect(planOf(page)).toContainText(/^Professional Monthly/);
    await expect(planOf(page)).toContainText("1 of 50");
    await fits(page);
    await accessible(page);
    await page.context().close();
    await advance(32);
    page = await tabOf(browser, await linkSignIn(server, fay.email));
    await page.goto(`${server.url}/billing`);
    await reloaded(page, () => expect(planOf(page)).toContainText(/^Essentials Monthly/, { timeout: 10_000 }));
    await expect(planOf(page)).toContainText("1 of 5");
    await expect(planOf(page)).toContainText("US$49 per month");
    const invoices = page.getByRole("list", { name: "Invoices" }).getByRole("listitem");
    await expect(invoices.first()).toContainText(/PaidUS\$49/);
  });
});

test("an agency chooses between a new organization and one whose plan ended", async ({ browser }) => {
  await clocked(async (server, advance) => {
    const gil = await signIn(server, "gil@life.example", "Gil Gray");
    const org = await organisation(server, gil, "Returning");
    const accounts = await new Caller(server, gil.token).call<{ data: { uid: string }[] }>("GET", "/v1/accounts");
    const path = `/v1/accounts/${accounts.data[0]!.uid}`;
    await new Caller(server, gil.token).call("PATCH", path, { account: { type: "agency" } });
    const first = await tabOf(browser, gil);
    const card = await provider(first, server, "Returning");
    await card.getByRole("button", { name: "Cancel at period end" }).click();
    await expect(card.getByRole("button", { name: "Keep the plan" })).toBeVisible();
    await first.context().close();

    await advance(33);
    const page = await tabOf(browser, await linkSignIn(server, gil.email), { viewport: phone });
    await page.goto(`${server.url}/`);
    await page.waitForURL(/\/no-plan$/);
    await page.getByRole("link", { name: "Choose Essentials Monthly" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    const ended = page.getByRole("radio", { name: /^Returning Its plan ended on/ });
    await expect(page.getByRole("radio", { name: /^New organization/ })).toBeChecked();
    await ended.check();
    await fits(page);
    await accessible(page);
    await page.getByRole("button", { name: "Continue" }).dblclick();
    await pay(page, works);
    await page.waitForURL(new RegExp(`/org/${org}/profile$`));
  });
});
