// Sessions: redirects after sign-in, several tabs, several devices, and signing out.
import type { Page } from "@playwright/test";
import { founded } from "./support/portal.ts";
import { Caller } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { accessible, expect, test } from "./support/test.ts";
import {
  again,
  byPassword,
  elsewhere,
  enterSandbox,
  iphone,
  laptop,
  linkTo,
  member,
  opened,
  personOf,
  verifyAddress,
  stranger,
  tabOfMember,
  toast,
  turnedAway,
} from "./support/ways-in.ts";

let server: Server;

test.beforeAll(async () => {
  server = await Server.start({ VITRINE_BILLING: "none" });
});

test.afterAll(() => server?.stop());

test("each sign-in method leads back to the requested address with its query", async ({ browser }) => {
  const chien = await member(server, "Chien");
  await verifyAddress(server, chien);
  const ways: Record<string, (page: Page) => Promise<void>> = {
    "by password": (page) => byPassword(page, chien),
    "by reset link": async (page) => {
      await new Caller(server).call("POST", "/v1/auth/password-resets", { email: chien.email });
      await page.goto(await linkTo(server, chien.email, "/reset-password"));
      await page.getByLabel("New password", { exact: true }).fill("heron-lantern-27");
      await again(page).fill("heron-lantern-27");
      await page.getByRole("button", { name: "Save password" }).click();
    },
    "by magic link": async (page) => {
      await page.evaluate((email) => localStorage.setItem("emailForSignIn", email), chien.email);
      await page.goto(await linkTo(server, chien.email, "/authenticate"));
    },
    "by Google": async (page) => enterSandbox(await opened(page, "Google"), "Chien Wu", chien.email),
    "by Apple": async (page) => enterSandbox(await opened(page, "Apple"), "Chien Wu", chien.email),
  };
  for (const [way, go] of Object.entries(ways)) {
    await test.step(way, async () => {
      const { page, leave } = await stranger(browser);
      await turnedAway(page, server, elsewhere);
      await go(page);
      await expect(page).toHaveURL(server.url + elsewhere);
      expect(await personOf(page)).toBe(chien.uid);
      expect(await page.evaluate(() => localStorage.getItem("redirectUrl"))).toBeNull();
      await leave();
    });
  }
});

test("the sign-in screens are closed to signed-in people", async ({ browser }) => {
  const irene = await member(server, "Irene");
  const { page, leave } = await tabOfMember(browser, server, irene, laptop);
  for (const path of ["/login", "/sign-up", "/forgot-password", "/authenticate"]) {
    await page.goto(server.url + path);
    await expect(page).toHaveURL(/\/no-plan$/);
  }
  await leave();
});

test("signing out in one tab signs out the other without a reload, and signing in works the same", async ({ browser }) => {
  const emmy = await member(server, "Emmy");
  await founded(server, emmy, "Emmy Ltd");
  const { page, leave } = await tabOfMember(browser, server, emmy, laptop);
  const second = await page.context().newPage();
  await page.goto(`${server.url}/settings`);
  await second.goto(`${server.url}/user-profile`);
  await expect(second.getByLabel("First name")).toHaveValue("Emmy");
  await second.evaluate(() => {
    document.body.dataset["mark"] = "same page";
  });
  await page.getByRole("button", { name: "Logout" }).click();
  for (const tab of [page, second]) {
    await expect(tab).toHaveURL(/\/login$/);
    await expect(tab.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  }
  expect(await second.evaluate(() => document.body.dataset["mark"])).toBe("same page");
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain("redirectUrl");
  // Neither the old token nor the old cookie works.
  await second.goto(`${server.url}/user-profile`);
  await expect(second).toHaveURL(/\/login$/);
  // Signing in in one tab signs in the other.
  await byPassword(page, emmy);
  for (const tab of [page, second]) await expect(tab).toHaveURL(/\/(user-profile|org\/[^/]+\/home)$/);
  expect(await personOf(second)).toBe(emmy.uid);
  await leave();
});

test("the list of sessions shows each device, ends one, and ends all", async ({ browser }) => {
  const vera = await member(server, "Vera");
  await founded(server, vera, "Vera Ltd");
  const here = await tabOfMember(browser, server, vera, laptop);
  const there = await tabOfMember(browser, server, vera, iphone);
  const list = here.page.getByRole("list", { name: "Where you are signed in" });
  const row = (device: string) => list.getByRole("listitem").filter({ hasText: device });

  await test.step("both devices", async () => {
    await there.page.goto(`${server.url}/user-profile`);
    await expect(there.page.getByLabel("First name")).toHaveValue("Vera");
    await here.page.goto(`${server.url}/settings`);
    await expect(row("Firefox on Linux")).toContainText("This device");
    await expect(row("Firefox on Linux")).toContainText("127.0.0.1 · Portal · Active now");
    await expect(row("Safari on iPhone")).toContainText("127.0.0.1 · Portal");
    await accessible(here.page);
  });

  await test.step("one ends", async () => {
    await here.page.getByRole("button", { name: "End session: Safari on iPhone" }).click();
    const asked = here.page.getByRole("dialog", { name: "Confirmation" });
    await accessible(here.page);
    await asked.getByRole("button", { name: "End session" }).click();
    await toast(here.page, "Session ended.", "status");
    await expect(row("Safari on iPhone")).toHaveCount(0);
    await there.page.reload();
    await expect(there.page).toHaveURL(/\/login$/);
    await byPassword(there.page, vera);
    await expect(there.page).toHaveURL(`${server.url}/user-profile`);
    await expect(here.page).toHaveURL(`${server.url}/settings`);
  });

  await test.step("all end", async () => {
    await here.page.getByRole("button", { name: "Sign out everywhere" }).click();
    await here.page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await expect(here.page).toHaveURL(/\/login$/);
    await there.page.reload();
    await expect(there.page).toHaveURL(/\/login$/);
  });
  await here.leave();
  await there.leave();
});
