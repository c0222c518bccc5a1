// Takes screenshots of the pages about plans and payment, at both widths and in both schemes: from the prices to a plan
// that the provider has given up.
import { resolve } from "node:path";
import { test as base, type Browser, type Page } from "@playwright/test";
import { declined } from "./support/payment.ts";
import { organisation } from "./support/portal.ts";
import { Caller, linkSignIn, type Person, signIn } from "./support/seed.ts";
import { Server } from "./support/server.ts";

const folder = resolve(import.meta.dirname, process.env["PICTURES"] ?? "test-results/pictures");
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

type Take = (page: Page, name: string) => Promise<void>;

/** Shows pages of the person in each size and scheme. */
async function inAll(browser: Browser, person: Person, planId: string, show: (page: Page, take: Take) => Promise<void>) {
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await (await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" })).newPage();
      await page.addInitScript(
        ([token, scheme, plan]) => {
          localStorage.setItem("vitrine.session", JSON.stringify({ accessToken: token }));
          localStorage.setItem("mantine-color-scheme-value", scheme!);
          if (plan !== "") localStorage.setItem("planId", plan!);
        },
        [person.token, colorScheme, planId],
      );
      await show(page, async (shown, name) => {
        await shown.waitForTimeout(300);
        await shown.screenshot({ path: `${folder}/${size}-${colorScheme}-${name}.png`, fullPage: true });
      });
      await page.context().close();
    }
  }
}

const open = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.waitForLoadState("networkidle");
};

/** What the page after a payment shows in each end. */
const ends = {
  waiting: { state: "open" },
  returned: { state: "failed", refused: true },
  failed: { state: "failed" },
  expired: { state: "expired" },
  ended: { state: "ended" },
  suspended: { state: "suspended" },
};

/** The plan of the person is declined from now on. */
async function decline(browser: Browser, server: Server, person: Person, account: string): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  const managed = await new Caller(server, person.token).call<{ url: string }>("POST", `/v1/accounts/${account}/manage`);
  await page.goto(managed.url);
  await page.getByText("Change card").click();
  await page.getByLabel("Card number").fill(declined);
  await page.getByLabel("Expiry").fill("12 / 30");
  await page.getByLabel("CVC").fill("123");
  await page.getByLabel("Name on card").fill(person.email);
  await page.getByRole("button", { name: "Save card" }).click();
  await page.getByText("Will be declined").waitFor();
  await page.context().close();
}

const accountOf = async (server: Server, person: Person): Promise<string> => {
  const { data } = await new Caller(server, person.token).call<{ data: { uid: string }[] }>("GET", "/v1/accounts");
  return data[0]!.uid;
};

base("pictures of plans and payment", async ({ browser }) => {
  base.setTimeout(900_000);
  const server = await Server.start();
  const script = (path: string, body: unknown) => new Caller(server).call("POST", `/sandbox/api/${path}`, body);
  try {
    const buyer = await signIn(server, "nora@pictures.example", "Nora North");
    await inAll(browser, buyer, "", async (page, take) => {
      await open(page, `${server.url}/pricing`);
      await take(page, "pricing");
      await page.getByText("Annual", { exact: true }).first().click();
      await take(page, "pricing-annual");
      await open(page, `${server.url}/no-plan`);
      await take(page, "no-plan");
      await open(page, `${server.url}/account-type`);
      await take(page, "account-type");
      await open(page, `${server.url}/billing/cancelled`);
      await take(page, "cancelled-without-plan");
      await open(page, `${server.url}/billing/success?provision_id=019a0000-0000-7000-8000-000000000009`);
      await take(page, "success-unknown");
    });
    await inAll(browser, buyer, "essentials-monthly", async (page, take) => {
      await open(page, `${server.url}/create-billing-account?type=business`);
      await take(page, "billing-form");
      await page.getByRole("button", { name: "Continue" }).click();
      await take(page, "billing-form-empty");
      await open(page, `${server.url}/billing/cancelled`);
      await take(page, "cancelled");
    });

    const ada = await signIn(server, "ada@pictures.example", "Ada Byron");
    const org = await organisation(server, ada, "Northwind");
    const account = await accountOf(server, ada);
    await inAll(browser, ada, "professional-annual", async (page, take) => {
      await open(page, `${server.url}/billing`);
      await take(page, "billing");
      await open(page, `${server.url}/select-billing-account?planId=professional-annual`);
      await take(page, "choose-account");
      await open(page, `${server.url}/billing/${account}`);
      await take(page, "checkout-full");
      for (const [name, fields] of Object.entries(ends)) {
        const purchase = { uid: "one", orgId: null, active: false, planId: "essentials-monthly", refused: false, subscriptionEnded: false, ...fields };
        await page.route("**/v1/accounts/*/provisions*", (route) => route.fulfill({ json: { data: [purchase] } }));
        await page.goto(`${server.url}/billing/success?provision_id=one`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await take(page, `success-${name}`);
        await page.unroute("**/v1/accounts/*/provisions*");
      }
    });

    const eve = await signIn(server, "eve@pictures.example", "Eve Evans");
    const late = await organisation(server, eve, "Fjord Flow");
    await decline(browser, server, eve, await accountOf(server, eve));
    await script("stripe", { afterRetries: "past_due" });
    for (const [days, name] of [
      [32, "past-due"],
      [16, "suspended"],
    ] as const) {
      await script("clock", { advanceDays: days });
      const person = await linkSignIn(server, eve.email);
      await inAll(browser, person, "", async (page, take) => {
        await open(page, `${server.url}/org/${late}/home`);
        await page.getByRole("region", { name: "Plan", exact: true }).waitFor();
        await take(page, `${name}-home`);
        await open(page, `${server.url}/billing`);
        await take(page, `${name}-billing`);
      });
    }

    // After the last attempt, the provider ends the subscription.
    await script("stripe", { afterRetries: "canceled" });
    const again = await linkSignIn(server, ada.email);
    await decline(browser, server, again, account);
    await script("clock", { advanceDays: 40 });
    const owner = await linkSignIn(server, ada.email);
    await inAll(browser, owner, "", async (page, take) => {
      await open(page, `${server.url}/org/${org}/home`);
      await page.getByRole("region", { name: "Plan", exact: true }).waitFor();
      await take(page, "given-up-home");
      await open(page, `${server.url}/billing`);
      await take(page, "given-up-billing");
    });
  } finally {
    await server.stop();
  }
});
