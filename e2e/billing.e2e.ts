// Billing: the plan and its use, the account's details and managers, and the page after a payment.
import type { Route } from "@playwright/test";
import { fits } from "./support/content.ts";
import { pay, works } from "./support/payment.ts";
import { keepsLayout, organisation, phone, tabOf, wide } from "./support/portal.ts";
import { Caller, type Person, signIn } from "./support/seed.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";
import { linkTo } from "./support/ways-in.ts";

test("a manager sees the plan and its use, corrects the details, and hands the account over", async ({ browser, server }) => {
  const ada = await signIn(server, "ada@billing.example", "Ada Byron");
  const bea = await signIn(server, "bea@billing.example", "Bea Bird");
  const org = await organisation(server, ada, "Billed");
  const page = await tabOf(browser, ada, { viewport: phone });
  await page.goto(`${server.url}/billing`);
  const plan = page.getByRole("list", { name: "Plans" }).getByRole("listitem");
  await expect(plan).toContainText("Essentials MonthlyActiveUS$49 per month");
  await expect(plan).toContainText(/Renews on \d+ \w+ \d{4}/);
  await expect(plan).toContainText("1 of 5");
  await expect(plan).toContainText("0 of 1,000");
  await fits(page);
  await accessible(page);

  await page.getByRole("button", { name: "Edit details" }).click();
  const details = page.getByRole("dialog", { name: "Billing details" });
  await details.getByLabel("Payee email").fill("at home");
  await accessible(page);
  await details.getByRole("button", { name: "Save" }).dblclick();
  await expect(details).toBeHidden();
  // The card page's customer is changed by a job.
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/did not accept these details: Invalid email address: at home/)).toBeVisible({ timeout: 2000 });
  }).toPass();

  // Managers come from the staff.
  const invitation = { userEmails: [bea.email], role: "teamUser" };
  await new Caller(server, ada.token).call("POST", `/v1/organizations/${org}/invites`, invitation);
  const other = await tabOf(browser, bea);
  await other.goto(await linkTo(server, bea.email, "/invite"));
  await expect(other.getByRole("heading", { name: "Invitation accepted!" })).toBeVisible();

  await page.getByRole("button", { name: "Managers" }).click();
  const managers = page.getByRole("dialog", { name: "Managers" });
  await managers.getByLabel("Email of the new manager").fill(bea.email);
  await managers.getByRole("button", { name: "Add manager" }).click();
  await expect(managers.getByText("Bea Bird")).toBeVisible();
  await fits(page);
  await accessible(page);

  // The new manager removes the first one, who no longer sees the account.
  await other.goto(`${server.url}/billing`);
  await other.getByRole("region", { name: "Billed" }).getByRole("button", { name: "Managers" }).click();
  await other.getByRole("button", { name: `Remove ${ada.email}` }).click();
  const question = other.getByRole("dialog", { name: "Confirmation" });
  await accessible(other);
  await question.getByRole("button", { name: "Remove" }).click();
  await expect(other.getByRole("button", { name: `Remove ${bea.email}` })).toBeDisabled();
  await page.reload();
  await expect(page.getByText("You don't have any billing account!")).toBeVisible();
});

/** Starts a purchase and returns the account and the purchase. */
async function started(api: Caller, person: Person, name: string) {
  const account = { friendlyName: name, billingName: name, billingEmail: person.email, billingPhone: "1", type: "business" };
  const { uid } = await api.call<{ uid: string }>("POST", "/v1/accounts", { account });
  const checkout = await api.call<{ sessionId: string; provisionId: string }>("POST", `/v1/accounts/${uid}/checkout`, {
    planId: "essentials-monthly",
  });
  return { ...checkout, account: uid };
}

test("the page after a payment works in another browser, and ends with words if there is nothing to wait for", async ({
  browser,
  server,
}) => {
  const cy = await signIn(server, "cy@billing.example", "Cy Young");
  const api = new Caller(server, cy.token);
  const { sessionId, provisionId } = await started(api, cy, "Elsewhere");
  const page = await tabOf(browser, cy, { viewport: phone });
  const untroubled = complaints(page);
  await page.goto(`${server.url}/billing/success?provision_id=${provisionId}`);
  await expect(page.getByText("You will be redirected automatically")).toBeVisible();
  await accessible(page);
  await api.call("POST", `/sandbox/api/checkouts/${sessionId}`, { outcome: "pay" });
  await expect(page).toHaveURL(/\/org\/[^/]+\/profile$/);

  // Another person has no such purchase.
  const dan = await signIn(server, "dan@billing.example", "Dan Day");
  const strange = await tabOf(browser, dan, { viewport: phone });
  await strange.goto(`${server.url}/billing/success?provision_id=${provisionId}`);
  await expect(strange.getByRole("heading", { name: "Purchase not found" })).toBeVisible();
  await fits(strange);
  await accessible(strange);
  untroubled();
});

test("a purchase that another browser finishes leads to its organization in both", async ({ browser, server }) => {
  const eve = await signIn(server, "eve@billing.example", "Eve Evans");
  const account = { friendlyName: "Two browsers", billingName: "Two", billingEmail: eve.email, billingPhone: "1", type: "business" };
  const api = new Caller(server, eve.token);
  await api.call("POST", "/v1/accounts", { account });
  const first = await tabOf(browser, eve);
  await first.goto(`${server.url}/select-billing-account?planId=essentials-monthly`);
  await first.getByRole("button", { name: "Continue" }).click();
  await first.waitForURL(/\/sandbox\/pay\//);

  // It knows neither the plan nor the account.
  const second = await tabOf(browser, eve, { viewport: phone });
  const untroubled = complaints(second);
  await second.goto(first.url());
  await pay(second, works);
  await second.waitForURL(/\/org\/[^/]+\/profile$/);
  untroubled();

  await first.reload();
  await expect(first.getByText("This payment is complete.")).toBeVisible();
  await first.getByRole("link", { name: "Continue" }).click();
  await first.waitForURL(new URL(second.url()).href);
  const organisations = await api.call<{ data: unknown[] }>("GET", "/v1/organizations");
  expect(organisations.data).toHaveLength(1);
});

const invoice = (month: number) => ({
  number: `VIT-000${month}`,
  timeCreated: `2026-0${month}-01T08:00:00Z`,
  amount: 4900,
  currency: "usd",
  status: "paid",
  url: "https://pay.example.com/invoice",
  pdfUrl: "https://pay.example.com/invoice.pdf",
});
const card = { brand: "visa", last4: "4242", expMonth: 12, expYear: 2030 };

test("the page keeps its layout while it loads: without an account, without a plan, without invoices, with many", async ({
  browser,
  server,
}) => {
  const paid = await signIn(server, "paid@billing.example", "Pia Paid");
  await organisation(server, paid, "With a plan");
  const both = await signIn(server, "both@billing.example", "Bo Both");
  await organisation(server, both, "First account");
  await started(new Caller(server, both.token), both, "Second account");
  const none = { json: { data: [] } };
  const states: { heading: string; answers?: Record<string, Parameters<Route["fulfill"]>[0]>; person?: Person }[] = [
    { heading: "Billing", answers: { "": { status: 404, json: { code: "not_found", message: "No accounts" } } } },
    { heading: "Managers", answers: { "/*/provisions*": none, "/*/usage": none } },
    { heading: "Invoices" },
    { heading: "Managers", answers: { "/*/invoices": { json: { card: null, data: [] } } } },
    { heading: "Payment method", answers: { "/*/invoices": { json: { card, data: [] } } } },
    { heading: "Invoices", answers: { "/*/invoices": { json: { card, data: [6, 5, 4, 3, 2, 1].map(invoice) } } } },
    { heading: "Invoices", person: both },
  ];
  for (const viewport of [phone, wide]) {
    for (const { person = paid, heading, answers = {} } of states) {
      const page = await tabOf(browser, person, { viewport });
      for (const [path, answer] of Object.entries(answers)) {
        await page.route(`**/v1/accounts${path}`, (route) => route.fulfill(answer));
      }
      await page.route("**/v1/accounts/*/invoices", async (route) => {
        // The server asks the payment provider, so it is the last to answer.
        await new Promise((done) => setTimeout(done, 500));
        await route.fallback();
      });
      await keepsLayout(page, [[`${server.url}/billing`, heading]]);
      await page.context().close();
    }
  }
});
