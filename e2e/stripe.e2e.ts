// The payment client and the stand-in for Stripe, judged by Stripe's OpenAPI document of the version that the client asks for, and
// by Stripe's own SDK of that version.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import Stripe from "stripe";
import { Caller, linkSignIn, signIn } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { contradictions, contradictionsOfEvent, type Delivered, documentedCalls, documentedName, documentVersion } from "./support/stripe-openapi.ts";
import { type Exchange, StripeRecorder } from "./support/stripe-recorder.ts";
import { misfits, nested, type Typed } from "./support/stripe-types.ts";
import { test as base, expect } from "./support/test.ts";

const key = "sk_test_0123456789abcdef";
const webhookSecret = "whsec_0123456789abcdef";

/** The SDK's types of the parameters and the answer of each of the document's calls. */
const calls: Record<string, [params: string, answer: string]> = {
  "GET /v1/account": ["Stripe.AccountRetrieveParams", "Stripe.Account"],
  "GET /v1/billing_portal/configurations": ["Stripe.BillingPortal.ConfigurationListParams", "Stripe.ApiList<Stripe.BillingPortal.Configuration>"],
  "POST /v1/billing_portal/configurations": ["Stripe.BillingPortal.ConfigurationCreateParams", "Stripe.BillingPortal.Configuration"],
  "POST /v1/billing_portal/configurations/{configuration}": ["Stripe.BillingPortal.ConfigurationUpdateParams", "Stripe.BillingPortal.Configuration"],
  "POST /v1/billing_portal/sessions": ["Stripe.BillingPortal.SessionCreateParams", "Stripe.BillingPortal.Session"],
  "POST /v1/checkout/sessions": ["Stripe.Checkout.SessionCreateParams", "Stripe.Checkout.Session"],
  "GET /v1/checkout/sessions/{session}": ["Stripe.Checkout.SessionRetrieveParams", "Stripe.Checkout.Session"],
  "POST /v1/checkout/sessions/{session}/expire": ["Stripe.Checkout.SessionExpireParams", "Stripe.Checkout.Session"],
  "POST /v1/customers": ["Stripe.CustomerCreateParams", "Stripe.Customer"],
  "GET /v1/customers/{customer}": ["Stripe.CustomerRetrieveParams", "Stripe.Customer"],
  "POST /v1/customers/{customer}": ["Stripe.CustomerUpdateParams", "Stripe.Customer"],
  "GET /v1/events": ["Stripe.EventListParams", "Stripe.ApiList<Stripe.Event>"],
  "GET /v1/invoice_payments": ["Stripe.InvoicePaymentListParams", "Stripe.ApiList<Stripe.InvoicePayment>"],
  "GET /v1/invoices": ["Stripe.InvoiceListParams", "Stripe.ApiList<Stripe.Invoice>"],
  "POST /v1/invoices/{invoice}/pay": ["Stripe.InvoicePayParams", "Stripe.Invoice"],
  "POST /v1/invoices/{invoice}/void": ["Stripe.InvoiceVoidInvoiceParams", "Stripe.Invoice"],
  "GET /v1/payment_methods/{payment_method}": ["Stripe.PaymentMethodRetrieveParams", "Stripe.PaymentMethod"],
  "GET /v1/prices/{price}": ["Stripe.PriceRetrieveParams", "Stripe.Price"],
  "GET /v1/products/{id}": ["Stripe.ProductRetrieveParams", "Stripe.Product"],
  "GET /v1/prices": ["Stripe.PriceListParams", "Stripe.ApiList<Stripe.Price>"],
  "POST /v1/refunds": ["Stripe.RefundCreateParams", "Stripe.Refund"],
  "POST /v1/subscription_schedules": ["Stripe.SubscriptionScheduleCreateParams", "Stripe.SubscriptionSchedule"],
  "GET /v1/subscription_schedules/{schedule}": ["Stripe.SubscriptionScheduleRetrieveParams", "Stripe.SubscriptionSchedule"],
  "POST /v1/subscription_schedules/{schedule}": ["Stripe.SubscriptionScheduleUpdateParams", "Stripe.SubscriptionSchedule"],
  "POST /v1/subscription_schedules/{schedule}/release": ["Stripe.SubscriptionScheduleReleaseParams", "Stripe.SubscriptionSchedule"],
  "GET /v1/subscriptions": ["Stripe.SubscriptionListParams", "Stripe.ApiList<Stripe.Subscription>"],
  "GET /v1/subscriptions/{subscription_exposed_id}": ["Stripe.SubscriptionRetrieveParams", "Stripe.Subscription"],
  "POST /v1/subscriptions/{subscription_exposed_id}": ["Stripe.SubscriptionUpdateParams", "Stripe.Subscription"],
  "DELETE /v1/subscriptions/{subscription_exposed_id}": ["Stripe.SubscriptionCancelParams", "Stripe.Subscription"],
  "GET /v1/webhook_endpoints": ["Stripe.WebhookEndpointListParams", "Stripe.ApiList<Stripe.WebhookEndpoint>"],
  "POST /v1/webhook_endpoints": ["Stripe.WebhookEndpointCreateParams", "Stripe.WebhookEndpoint"],
};

// The calls that the first two tests make are counted together.
base.describe.configure({ mode: "serial" });

/** A server whose payment client talks to its stand-in through a recorder. */
const test = base.extend<{ recorded: { server: Server; recorder: StripeRecorder; sdk: Stripe } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern
  recorded: async ({}, use) => {
    const recorder = await StripeRecorder.start();
    const server = await Server.start({
      VITRINE_STRIPE_API_URL: recorder.url,
      VITRINE_STRIPE_SECRET_KEY: key,
      VITRINE_STRIPE_WEBHOOK_SECRET: webhookSecret,
    });
    recorder.to(server.url);
    const port = Number(new URL(recorder.url).port);
    const sdk = new Stripe(key, { host: "127.0.0.1", port, protocol: "http", maxNetworkRetries: 0, telemetry: false });
    await use({ server, recorder, sdk });
    await server.stop();
    recorder.stop();
  },
});

function typed(exchange: Exchange): Typed[] {
  const { form, status, answer } = exchange;
  const name = documentedName(exchange) ?? `${exchange.method} ${exchange.path}`;
  const types = calls[name];
  expect(types, `${name} has no type here`).toBeDefined();
  const request = { what: `request of ${name}`, type: `Form<${types?.[0]}>`, value: nested(form) };
  return status < 300 ? [request, { what: `answer to ${name}`, type: `ProviderAnswer<${types?.[1]}>`, value: answer }] : [request];
}

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (await isDone()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`never: ${what}`);
}

interface Purchase {
  uid: string;
  state: string;
}

test("every request and answer of a plan's life has the shapes of Stripe's API", async ({ recorded: { server, recorder, sdk } }) => {
  const endpoint = await sdk.webhookEndpoints.create({ url: `${recorder.url}/webhook`, enabled_events: ["*"] });
  const person = await signIn(server, `life-${randomUUID().slice(0, 6)}@stripe.example`, "Life Long");
  let api = new Caller(server, person.token);
  const details = { friendlyName: "Life", billingName: "Life", billingEmail: "payee@stripe.example", billingPhone: "+44 20 7946 0958" };
  const account = (await api.call<{ uid: string }>("POST", "/v1/accounts", { account: { ...details, type: "business" } })).uid;
  const checkout = (plan: string) => api.call<{ sessionId: string; provisionId: string }>("POST", `/v1/accounts/${account}/checkout`, { planId: plan });
  const first = await checkout("essentials-monthly");
  const other = await checkout("professional-annual");
  const script = (path: string, body: unknown) => api.call("POST", `/sandbox/api/${path}`, body);
  const reaches = (provision: string, state: string) =>
    until(`${provision} is ${state}`, async () => (await api.call<Purchase>("GET", `/v1/accounts/${account}/provisions/${provision}`)).state === state);
  /** Moves the clock, which ends the session. */
  const wait = async (advanceDays: number) => {
    await script("clock", { advanceDays });
    api = new Caller(server, (await linkSignIn(server, person.email)).token);
  };
  await script(`checkouts/${first.sessionId}`, { outcome: "pay" });
  await reaches(first.provisionId, "active");
  await api.call("GET", `/v1/accounts/${account}/invoices`);
  await planChangeLater(sdk, recorder);
  // The account is full, so this payment is returned, unless the session was closed in time.
  await script(`checkouts/${other.sessionId}`, { outcome: "pay" });
  await until("the second purchase has ended", async () =>
    ["failed", "expired"].includes((await api.call<Purchase>("GET", `/v1/accounts/${account}/provisions/${other.provisionId}`)).state),
  );
  await api.call("PATCH", `/v1/accounts/${account}`, { account: { billingName: "Longer Life" } });
  await api.call("POST", `/v1/accounts/${account}/manage`, {});
  // A renewal, one that fails, the payment after all, and the end.
  await wait(32);
  await script(`subscriptions/${first.provisionId}`, { outcome: "fail" });
  await wait(31);
  await reaches(first.provisionId, "pastDue");
  const [open] = (await sdk.invoices.list({ status: "open" })).data;
  await expect(sdk.invoices.pay(open?.id ?? "")).rejects.toBeInstanceOf(Stripe.errors.StripeCardError);
  await script(`subscriptions/${first.provisionId}`, { outcome: "recover" });
  await reaches(first.provisionId, "active");
  // One that fails and is written off before the plan ends.
  await script(`subscriptions/${first.provisionId}`, { outcome: "fail" });
  await wait(31);
  await reaches(first.provisionId, "pastDue");
  const [written] = (await sdk.invoices.list({ status: "open" })).data;
  expect((await sdk.invoices.voidInvoice(written?.id ?? "")).status).toBe("void");
  await script(`subscriptions/${first.provisionId}`, { outcome: "cancel" });
  await wait(40);
  await reaches(first.provisionId, "ended");
  await api.call("GET", `/v1/accounts/${account}/invoices`);
  await until("the changed details have arrived", async () => recorder.exchanges.some(({ method, path }) => method === "POST" && /^customers\/\w+$/.test(path)));

  expect(new Set(recorder.exchanges.map(({ version }) => version))).toEqual(new Set([Stripe.API_VERSION]));
  const answers = recorder.exchanges.flatMap(typed);
  const events = recorder.deliveries.map(({ body, signature }) => sdk.webhooks.constructEvent(body, signature, endpoint.secret ?? "", 400 * 86_400));
  const names = new Set(events.map(({ type }) => type as string));
  for (const name of ["checkout.session.completed", "customer.subscription.updated", "customer.subscription.deleted", "invoice.paid", "invoice.payment_failed"]) {
    expect(names).toContain(name);
  }
  const delivered = recorder.deliveries.map(({ body }) => JSON.parse(body) as Delivered);
  const judged = delivered.map((value) => ({ what: `event ${value.type}`, type: `ProviderAnswer<Extract<Stripe.Event, { type: "${value.type}" }>>`, value }));
  expect(await misfits([...answers, ...judged])).toEqual([]);
  expect([...contradictions(recorder.exchanges), ...delivered.flatMap(contradictionsOfEvent)]).toEqual([]);
  remember(recorder);
});

/** Plans a change for the end of the period, as the portal does, waits until it was read, and takes it back. */
async function planChangeLater(sdk: Stripe, recorder: StripeRecorder): Promise<void> {
  const [subscription] = (await sdk.subscriptions.list({ limit: 1 })).data;
  const [later] = (await sdk.prices.list({ lookup_keys: ["essentials-annual"], active: true })).data;
  const { id, phases } = await sdk.subscriptionSchedules.create({ from_subscription: subscription?.id ?? "" });
  const [now] = phases;
  await sdk.subscriptionSchedules.update(id, {
    end_behavior: "release",
    phases: [
      { items: [{ price: String(now?.items[0]?.price), quantity: 1 }], start_date: now?.start_date ?? 0, end_date: now?.end_date ?? 0 },
      { items: [{ price: later?.id ?? "", quantity: 1 }], duration: { interval: "year", interval_count: 1 } },
    ],
  });
  await until("the change was read", async () =>
    recorder.exchanges.some(({ method, path }) => method === "GET" && path === `prices/${later?.id}`),
  );
  await sdk.subscriptionSchedules.release(id);
}

const driven = new Set<string>();

/** Keeps which of the document's calls were made. */
function remember({ exchanges }: StripeRecorder): void {
  for (const exchange of exchanges) driven.add(documentedName(exchange) ?? "");
}

test("Stripe's SDK drives the stand-in, and understands how it refuses", async ({ recorded: { server, recorder, sdk } }) => {
  const prices = await sdk.prices.list({ lookup_keys: ["essentials-monthly"], active: true });
  const price = prices.data[0]?.id ?? "";
  const customer = await sdk.customers.create({ name: "Ada", email: "ada@stripe.example", metadata: { account: "none" } });
  const parameters = {
    mode: "subscription" as const,
    customer: customer.id,
    line_items: [{ price, quantity: 1 }],
    success_url: `${server.url}/done?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${server.url}/back`,
  };
  const session = await sdk.checkout.sessions.create(parameters, { idempotencyKey: "once" });
  expect((await sdk.checkout.sessions.create(parameters, { idempotencyKey: "once" })).id).toBe(session.id);
  const reused = sdk.checkout.sessions.create({ ...parameters, cancel_url: `${server.url}/other` }, { idempotencyKey: "once" });
  await expect(reused).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);

  await new Caller(server).call("POST", `/sandbox/api/checkouts/${session.id}`, { outcome: "pay" });
  const { subscription } = await sdk.checkout.sessions.retrieve(session.id);
  const found = await sdk.subscriptions.retrieve(String(subscription));
  expect([found.status, found.items.data[0]?.price.id]).toEqual(["active", price]);
  const ended = await sdk.subscriptions.update(found.id, { metadata: { note: "kept" } });
  expect([ended.cancel_at, ended.metadata["note"]]).toEqual([null, "kept"]);
  expect((await sdk.subscriptions.list({ status: "all", limit: 1 }).autoPagingToArray({ limit: 100 })).map(({ id }) => id)).toContain(found.id);
  const paid = (await sdk.invoices.list({ subscription: found.id })).data;
  expect(paid.map(({ status }) => status)).toEqual(["paid"]);
  const [payment] = (await sdk.invoicePayments.list({ invoice: paid[0]?.id ?? "", status: "paid" })).data;
  expect((await sdk.refunds.create({ payment_intent: String(payment?.payment.payment_intent) })).status).toBe("succeeded");
  expect((await sdk.subscriptions.cancel(found.id)).status).toBe("canceled");

  const unpaid = await sdk.checkout.sessions.create(parameters);
  expect((await sdk.checkout.sessions.expire(unpaid.id)).status).toBe("expired");
  await expect(sdk.subscriptions.retrieve("sub_00000000000000")).rejects.toMatchObject({ statusCode: 404, code: "resource_missing" });
  await expect(sdk.customers.create({ email: "nowhere" })).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  const stranger = new Stripe("sk_test_another_account", { host: "127.0.0.1", port: Number(new URL(recorder.url).port), protocol: "http" });
  await expect(stranger.prices.list()).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);

  // The calls that nothing above made.
  expect((await sdk.products.retrieve(String(prices.data[0]?.product))).object).toBe("product");
  expect((await sdk.customers.update(customer.id, { name: "Ada Byron" })).name).toBe("Ada Byron");
  expect((await sdk.events.list({ limit: 3 })).data).toHaveLength(3);
  const [portal] = (await sdk.billingPortal.configurations.list({ active: true })).data;
  const { metadata } = await sdk.billingPortal.configurations.update(portal?.id ?? "", { metadata: { note: "kept" } });
  expect(metadata?.["note"]).toBe("kept");
  expect((await sdk.webhookEndpoints.list()).data.map(({ status }) => status)).toEqual(["enabled"]);

  expect(await misfits(recorder.exchanges.flatMap(typed))).toEqual([]);
  expect(contradictions(recorder.exchanges)).toEqual([]);
  remember(recorder);
  expect(documentedCalls.filter((name) => !driven.has(name))).toEqual([]);
});

test("the webhook endpoint accepts what Stripe's SDK signs, and refuses what is old or signed otherwise", async ({ recorded: { server, sdk } }) => {
  const payload = JSON.stringify({ id: "evt_judge", object: "event", type: "customer.created", created: 1, data: { object: { id: "cus_1" } } });
  const post = async (secret: string, timestamp: number) => {
    const signature = sdk.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    return (await fetch(`${server.url}/v1/webhooks/stripe`, { method: "POST", headers: { "stripe-signature": signature }, body: payload })).status;
  };
  const now = Math.floor(Date.now() / 1000);
  expect(await post(webhookSecret, now)).toBe(200);
  expect(await post("whsec_another", now)).toBe(400);
  expect(await post(webhookSecret, now - 400)).toBe(400);
});

test("the client asks for the version of the API whose document and types judge it", async () => {
  const source = await readFile(resolve(import.meta.dirname, "../crates/payments/src/lib.rs"), "utf8");
  expect(source).toContain(`"${Stripe.API_VERSION}"`);
  expect(documentVersion).toBe(Stripe.API_VERSION);
});
