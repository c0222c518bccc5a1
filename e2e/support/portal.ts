// Shared by the journeys of the portal's shell: a signed-in tab, organisations, layout shift.
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { Caller, type Person } from "./seed.ts";
import type { Server } from "./server.ts";
import { expect } from "./test.ts";
import { verifyAddress } from "./ways-in.ts";

export type Scheme = "light" | "dark";

export const wide = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };

/** Opens a tab with the person signed in. `ahead` is by how many milliseconds the sandbox's clock was moved. */
export async function tabOf(
  browser: Browser,
  person: Person,
  options: BrowserContextOptions & { scheme?: Scheme; ahead?: number } = {},
): Promise<Page> {
  const { scheme = "light", ahead, ...rest } = options;
  const page = await (await browser.newContext({ viewport: wide, ...rest })).newPage();
  await page.addInitScript(
    ([stored, chosen]) => {
      // Skip frames of other sites.
      if (window.top !== window) return;
      localStorage.setItem("vitrine.session", stored!);
      // Keep a choice made in the journey.
      if (localStorage.getItem("mantine-color-scheme-value") === null) {
        localStorage.setItem("mantine-color-scheme-value", chosen!);
      }
    },
    [JSON.stringify({ accessToken: person.token, ahead }), scheme],
  );
  return page;
}

function billingForm({ email }: Person, name: string) {
  return {
    friendlyName: name,
    billingName: name,
    billingEmail: email,
    billingPhone: "+44 20 7946 0958",
    billingAddress: null,
    type: "business",
  };
}

/** Creates an organisation by buying a plan on the sandbox's card page. */
export async function organisation(server: Server, person: Person, name: string): Promise<string> {
  const api = new Caller(server, person.token);
  const account = await api.call<{ uid: string }>("POST", "/v1/accounts", { account: billingForm(person, name) });
  const checkout = await api.call<{ sessionId: string }>("POST", `/v1/accounts/${account.uid}/checkout`, {
    planId: "essentials-monthly",
  });
  await api.call("POST", `/sandbox/api/checkouts/${checkout.sessionId}`, { outcome: "pay" });
  const made = async () => {
    const provisions = await api.call<{ data: { active: boolean; orgId: string }[] }>(
      "GET",
      `/v1/accounts/${account.uid}/provisions`,
    );
    return provisions.data.find(({ active }) => active)?.orgId;
  };
  await expect.poll(made).toBeTruthy();
  return (await made())!;
}

/** Creates an organisation on a server without billing, for a person whose address gets confirmed. */
export async function founded(server: Server, person: Person, name: string): Promise<string> {
  const api = new Caller(server, person.token);
  const { emailVerified } = await api.call<{ emailVerified: boolean }>("GET", "/v1/auth/methods");
  if (!emailVerified) await verifyAddress(server, person);
  const account = await api.call<{ uid: string }>("POST", "/v1/accounts", { account: billingForm(person, name) });
  const organisation = { name, accountId: account.uid };
  const made = await api.call<{ uid: string }>("POST", "/v1/organizations", { organisation });
  return made.uid;
}

/** Starts measuring layout shift in every page of this tab; call before opening the first one. */
export async function watchShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moved = { sum: 0, what: [] as string[] };
    (window as unknown as { moved: typeof moved }).moved = moved;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        moved.sum += entry.value;
        moved.what.push(...entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 90) : "?")));
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Returns the layout shift since the page was opened, and its sources. */
export async function shifted(page: Page): Promise<{ sum: number; what: string[] }> {
  return page.evaluate(() => (window as unknown as { moved: { sum: number; what: string[] } }).moved);
}

/** Opens screens whose requests take a while, each until its heading is shown: nothing may move as they load. Routes of the caller answer. */
export async function keepsLayout(
  page: Page,
  screens: readonly (readonly [address: string, heading: string])[],
): Promise<void> {
  await watchShift(page);
  await page.route("**/v1/**", async (route) => {
    await new Promise((done) => setTimeout(done, 150));
    await route.fallback();
  });
  for (const [address, heading] of screens) {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: heading, exact: true }).first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    const { sum, what } = await shifted(page);
    expect(sum, `${address}: ${what.join()}`).toBeLessThan(0.02);
  }
}
