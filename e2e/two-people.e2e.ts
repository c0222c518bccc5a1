// Two people in one browser, and a server that responds late, once, or not at all.
import type { Page, Route } from "@playwright/test";
import { founded } from "./support/portal.ts";
import { Caller } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { expect, test } from "./support/test.ts";
import { byPassword, laptop, member, personOf, tabOfMember, toast } from "./support/ways-in.ts";

let server: Server;

test.beforeAll(async () => {
  server = await Server.start({ VITRINE_BILLING: "none" });
});

test.afterAll(() => server?.stop());

/** Matches a call's URL with any query. */
const call = (path: string) => new RegExp(`/v1/${path}(\\?|$)`);

/** Presses Logout and waits for the sign-in page. */
async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
}

test("a save that completes after another person signed in is not shown to them", async ({ browser }) => {
  const ada = await member(server, "Ada");
  const bea = await member(server, "Bea");
  await founded(server, ada, "Ada Ltd");
  await founded(server, bea, "Bea Ltd");
  const { page, leave } = await tabOfMember(browser, server, ada, laptop);
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  let answered = () => {};
  const late = new Promise<void>((done) => (answered = done));
  await page.route(call("profiles"), async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
    answered();
  });
  await page.goto(`${server.url}/user-profile`);
  await page.getByLabel("Last name").fill("Secret");
  await page.getByLabel("Company").fill("Secret Ltd");
  await page.getByRole("button", { name: "Save" }).click();
  await logOut(page);
  await byPassword(page, bea);
  await expect(page.getByRole("button", { name: /^Bea, Bea Ltd/ })).toBeVisible();
  release();
  await late;
  // Navigate inside the app, without a page load.
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  await expect(page.getByLabel("First name")).toHaveValue("Bea");
  await expect(page.getByLabel("Last name")).toHaveValue("Example");
  await expect(page.getByLabel("Company")).toHaveValue("");
  await expect(page.getByRole("button", { name: /^Bea, Bea Ltd/ })).toBeVisible();
  await expect(page.getByText("Secret")).toHaveCount(0);
  await leave();
});

test("a renewal whose response is lost is retried in time, and the session continues", async ({ browser }) => {
  const grace = await member(server, "Grace");
  await founded(server, grace, "Grace Ltd");
  const { page, leave } = await tabOfMember(browser, server, grace, laptop);
  let refused = false;
  await page.route(call("profiles"), (route) => {
    if (refused) return route.fallback();
    refused = true;
    return route.fulfill({ status: 401, json: { status: 401, code: "signed_out", message: "Missing token" } });
  });
  let renewals = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/v1/auth/refresh")) renewals += 1;
  });
  const lost = async () => {
    // The server rotates the cookie, but the browser never gets the response.
    const cookies = await page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const answer = await fetch(`${server.url}/v1/auth/refresh`, { method: "POST", headers: { cookie } });
    expect(answer.status).toBe(200);
  };
  await page.route(call("auth/refresh"), lost, { times: 1 });
  await page.goto(`${server.url}/user-profile`);
  await expect(page.getByLabel("First name")).toHaveValue("Grace", { timeout: 30_000 });
  expect([renewals, await personOf(page)]).toEqual([2, grace.uid]);
  await page.reload();
  await expect(page.getByLabel("First name")).toHaveValue("Grace");
  await leave();
});

test("a sign-out that does not reach the server ends the local session, says so, and is delivered by the next page", async ({ browser }) => {
  const joan = await member(server, "Joan");
  await founded(server, joan, "Joan Ltd");
  const { page, leave } = await tabOfMember(browser, server, joan, laptop);
  const silence = (_: Route) => {};
  await page.goto(`${server.url}/settings`);
  const token = (await page.evaluate(() => localStorage.getItem("vitrine.session")))!;
  const { accessToken } = JSON.parse(token) as { accessToken: string };
  const lives = () =>
    new Caller(server, accessToken).call("GET", "/v1/profiles").then(
      () => true,
      () => false,
    );
  await page.route(call("auth/sign-out"), silence);
  await logOut(page);
  expect(await personOf(page)).toBeNull();
  await toast(
    page,
    "You are signed out on this device. The server could not be reached. We will sign you out there when you reconnect.",
    "status",
  );
  expect(await lives()).toBe(true);
  await page.unroute(call("auth/sign-out"), silence);
  await page.reload();
  await expect.poll(lives).toBe(false);
  await expect.poll(async () => (await page.context().cookies()).map(({ name }) => name)).toEqual([]);
  await expect(page).toHaveURL(/\/login$/);
  await leave();
});

test("sign-in waits until the server has received the sign-out", async ({ browser }) => {
  const [mary, nina] = [await member(server, "Mary"), await member(server, "Nina")];
  await founded(server, mary, "Mary Ltd");
  await founded(server, nina, "Nina Ltd");
  const { page, leave } = await tabOfMember(browser, server, mary, laptop);
  const dead = (route: Route) => route.abort();
  await page.route(call("auth/sign-out"), dead);
  await page.goto(`${server.url}/settings`);
  await logOut(page);
  await page.unroute(call("auth/sign-out"), dead);
  const order: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") order.push(new URL(request.url()).pathname);
  });
  await byPassword(page, nina);
  await expect(page.getByRole("button", { name: /^Nina, Nina Ltd/ })).toBeVisible();
  expect(order.filter((path) => /sign-(in|out)$/.test(path))).toEqual(["/v1/auth/sign-out", "/v1/auth/sign-in"]);
  // `vitrine_asked` remembers who asked for a code and gives no session.
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(["vitrine_asked", "vitrine_refresh"]);
  await leave();
});
