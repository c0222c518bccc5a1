// Shared by the sign-in journeys: new browsers, provider popups, and the screens involved.
import { randomUUID } from "node:crypto";
import type { Browser, BrowserContextOptions, Locator, Page } from "@playwright/test";
import { Caller, type Person } from "./seed.ts";
import type { Server } from "./server.ts";
import { complaints, expect } from "./test.ts";

/** A page outside the shell, with a query, that does not need an organisation. */
export const elsewhere = "/create-billing-account?type=business";

export const onboarding = /\/on-boarding\/details\/user$/;

/** User agent of Safari on a phone. */
export const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";
/** User agent of Firefox on a laptop. */
export const laptop = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

/** A person with a name and a password. */
export interface Member extends Person {
  password: string;
}

/** A page in its own browser context. */
export interface Tab {
  page: Page;
  /** Fails if this browser had errors, and closes it. */
  leave: () => Promise<void>;
}

/** Signs up a person by password, with a name. */
export async function member(server: Server, name: string): Promise<Member> {
  const email = address(name);
  const password = "wren-tapestry-94";
  const session = await new Caller(server).call<{ accessToken: string; profile: { uid: string } }>(
    "POST",
    "/v1/auth/sign-up",
    { email, password },
  );
  const user = { firstName: name, lastName: "Example", displayName: name, phoneNumber: "+44 20 7946 0958" };
  await new Caller(server, session.accessToken).call("PATCH", "/v1/profiles", {
    user: { ...user, termsAccepted: true },
  });
  return { email, password, token: session.accessToken, uid: session.profile.uid };
}

/** Confirms a person's address: without that, another sign-in method starts from scratch. */
export async function verifyAddress(server: Server, person: { email: string; token: string }): Promise<void> {
  const link = new URL(await linkTo(server, person.email, "/verify-email"));
  await new Caller(server, person.token).call("POST", "/v1/auth/verifications/redeem", {
    code: link.searchParams.get("code"),
  });
}

/** Returns an unused address. */
export function address(name: string): string {
  return `${name.toLowerCase()}-${randomUUID()}@example.com`;
}

/** Waits for the newest emailed link with this path. */
export async function linkTo(server: Server, email: string, path: string): Promise<string> {
  const find = async () => {
    const mails = await new Caller(server).call<{ data: { links: string[] }[] }>(
      "GET",
      `/sandbox/api/mails?to=${encodeURIComponent(email)}`,
    );
    return mails.data.flatMap(({ links }) => links).find((link) => new URL(link).pathname === path);
  };
  await expect.poll(find).toBeDefined();
  return (await find())!;
}

/** Presses Tab until the element has focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 20 && !(await isThere()); presses += 1) await page.keyboard.press("Tab");
  await expect(target).toBeFocused();
}

/** A new browser, and a check that it had no errors. */
export async function stranger(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext(options);
  // The pages of the OpenID package load a font, which is not needed.
  await context.route(/fonts\.googleapis\.com/, (route) => route.abort());
  const checks: (() => void)[] = [];
  context.on("page", (page) => checks.push(complaints(page)));
  const page = await context.newPage();
  const leave = async () => {
    for (const check of checks) check();
    await context.close();
  };
  return { page, leave };
}

/** A browser in which the member is signed in, with this user agent. */
export async function tabOfMember(
  browser: Browser,
  server: Server,
  { email, password }: Member,
  device: string,
): Promise<Tab> {
  const answer = await fetch(`${server.url}/v1/auth/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": device },
    body: JSON.stringify({ email, password }),
  });
  expect(answer.status).toBe(200);
  const { accessToken } = (await answer.json()) as { accessToken: string };
  const [name, value] = answer.headers.getSetCookie()[0]!.split(";")[0]!.split("=") as [string, string];
  const cookie = { name, value, domain: new URL(server.url).hostname, path: "/", expires: -1, httpOnly: true };
  return stranger(browser, {
    userAgent: device,
    storageState: {
      cookies: [{ ...cookie, secure: false, sameSite: "Strict" }],
      origins: [
        { origin: server.url, localStorage: [{ name: "vitrine.session", value: JSON.stringify({ accessToken }) }] },
      ],
    },
  });
}

/** Clicks the provider's button; returns the popup. */
export async function opened(page: Page, name: "Google" | "Apple"): Promise<Page> {
  const popup = page.waitForEvent("popup");
  await page.getByRole("button", { name: `Continue with ${name}` }).click();
  return popup;
}

/** Clicks what closes the popup; it may be gone before the click has been reported. */
export async function closing(popup: Page, button: Locator): Promise<void> {
  await button.click().catch((error: unknown) => {
    if (!popup.isClosed()) throw error;
  });
  await closed(popup);
}

/** Waits until the popup has closed. */
export async function closed(popup: Page): Promise<void> {
  await expect.poll(() => popup.isClosed()).toBe(true);
}

/** Signs in on the page of the OpenID package. */
export async function enter(popup: Page, email: string): Promise<void> {
  await popup.getByPlaceholder("Enter any login").fill(email);
  await popup.getByPlaceholder("and password").fill("any password");
  await closing(popup, popup.getByRole("button", { name: "Sign-in" }));
}

/** Signs in on the sandbox's page. */
export async function enterSandbox(popup: Page, name: string, email: string, verified = true): Promise<void> {
  await popup.getByLabel("Name").fill(name);
  await popup.getByLabel("E-mail", { exact: true }).fill(email);
  await popup.getByLabel("The email is verified").setChecked(verified);
  await closing(popup, popup.getByRole("button", { name: "Continue" }));
}

/** Records the documents the page loads from now on. */
export function documents(page: Page): string[] {
  const loaded: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loaded.push(request.url());
  });
  return loaded;
}

/** Completes the first onboarding screen and continues. */
export async function onboard(page: Page, names?: { first: string; last: string }): Promise<void> {
  await expect(page).toHaveURL(onboarding);
  if (names) {
    await page.getByLabel("First name").fill(names.first);
    await page.getByLabel("Last name").fill(names.last);
  }
  await page.getByLabel("Phone number").fill("+44 20 7946 0958");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Expects a toast with exactly this text. */
export async function toast(page: Page, text: string, role: "alert" | "status" = "alert"): Promise<void> {
  await expect(page.getByRole(role).getByText(text, { exact: true })).toBeVisible();
}

/** Closes all toasts and waits until they are gone. */
export async function untroubled(page: Page): Promise<void> {
  const close = page.locator("[role=alert], [role=status]").getByRole("button", { name: "Close" });
  await close.evaluateAll((buttons) => buttons.forEach((button) => void (button as HTMLElement).click()));
  await expect(close).toHaveCount(0);
}

/** Returns the person of the browser's session. */
export async function personOf(page: Page): Promise<string | null> {
  const session = await page.evaluate(() => localStorage.getItem("vitrine.session"));
  if (session === null) return null;
  const { accessToken } = JSON.parse(session) as { accessToken: string };
  const payload = Buffer.from(accessToken.split(".")[1]!, "base64url").toString();
  return (JSON.parse(payload) as { sub: string }).sub;
}

/** Opens the page and expects the redirect to sign-in. */
export async function turnedAway(page: Page, server: Server, path: string): Promise<void> {
  await page.goto(server.url + path);
  await expect(page).toHaveURL(/\/login$/);
}

/** The password field. */
export const password = (page: Page) => page.getByLabel("Password", { exact: true });
/** The confirmation field. */
export const again = (page: Page) => page.getByLabel("Confirm password", { exact: true });

/** Fills the email and opens the password dialog. */
export async function manually(page: Page, email: string, submit: "Sign in" | "Sign up"): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: submit, exact: true }).click();
  await page.getByRole("button", { name: "Sign in manually" }).click();
  await expect(password(page)).toBeFocused();
}

/** Signs in by password on the sign-in page. */
export async function byPassword(
  page: Page,
  { email, password: secret }: Pick<Member, "email" | "password">,
): Promise<void> {
  await manually(page, email, "Sign in");
  await password(page).fill(secret);
  await page.getByRole("button", { name: "Login" }).click();
}
