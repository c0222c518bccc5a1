// Failures between a page, a provider's popup and the provider: each shows its toast, and no session starts.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { Browser } from "@playwright/test";
import { Peer } from "./peers/openid.ts";

import { failed, serverWithProviders } from "./support/providers.ts";
import { Server } from "./support/server.ts";
import { accessible, expect, test } from "./support/test.ts";
import {
  address,
  closed,
  closing,
  documents,
  enter,
  enterSandbox,
  onboarding,
  opened,
  personOf,
  stranger,
  toast,
} from "./support/ways-in.ts";

const here = serverWithProviders();

test("a closed popup shows the toast of its page and provider, and the page stays", async ({ browser }) => {
  const { page, leave } = await stranger(browser);
  for (const path of ["login", "sign-up"] as const) {
    await page.goto(`${here.server.url}/${path}`);
    const loaded = documents(page);
    for (const name of ["Google", "Apple"] as const) {
      const popup = await opened(page, name);
      await expect(popup.getByRole("button", { name: "Sign-in" })).toBeVisible();
      await popup.close();
      await toast(page, failed[path][name]);
    }
    await expect(page.getByRole("button", { name: "Continue with Google" })).toBeEnabled();
    expect(loaded).toEqual([]);
  }
  await leave();
});

test("cancelling at the provider shows the same toast, and can be retried", async ({ browser, server }) => {
  const { page, leave } = await stranger(browser);
  for (const [path, name] of [
    ["login", "Google"],
    ["sign-up", "Apple"],
  ] as const) {
    await test.step(`at the OpenID package as ${name}`, async () => {
      await page.goto(`${here.server.url}/${path}`);
      const popup = await opened(page, name);
      await closing(popup, popup.getByRole("link", { name: "Cancel" }));
      await toast(page, failed[path][name]);
    });
  }
  for (const [path, name] of [
    ["sign-up", "Google"],
    ["login", "Apple"],
  ] as const) {
    await test.step(`at the sandbox as ${name}`, async () => {
      await page.goto(`${server.url}/${path}`);
      const popup = await opened(page, name);
      await expect(popup.getByRole("button", { name: "Cancel" })).toBeVisible();
      if (name === "Google") await accessible(popup);
      await closing(popup, popup.getByRole("button", { name: "Cancel" }));
      await toast(page, failed[path][name]);
      await enterSandbox(await opened(page, name), "Katherine Johnson", address("katherine"));
      await expect(page).toHaveURL(onboarding);
      await page.evaluate(() => localStorage.clear());
    });
  }
  await leave();
});

test("a window whose page is gone does not claim that the person is signed in", async ({ browser, server }) => {
  const { page, leave } = await stranger(browser);
  const keeper = await page.context().newPage();
  await page.goto(`${server.url}/login`);
  const popup = await opened(page, "Google");
  await expect(popup.getByLabel("Name")).toBeVisible();
  await page.close();
  await popup.getByLabel("Name").fill("Ida Rhodes");
  await popup.getByLabel("E-mail", { exact: true }).fill(address("ida"));
  await popup.getByRole("button", { name: "Continue" }).click();
  await expect(popup.getByRole("status")).toHaveText(
    "The page you started from is no longer open. Close this window and sign in again.",
  );
  await accessible(popup);
  await keeper.goto(server.url);
  expect(await personOf(keeper)).toBeNull();
  await leave();
});

test("a provider that is not configured or unreachable shows its toast", async ({ browser }) => {
  const silent = await Peer.start("google");
  await silent.stop();
  const bare = await Server.start({
    VITRINE_SANDBOX: "false",
    VITRINE_SECRET: randomBytes(32).toString("base64"),
    VITRINE_SMTP_URL: "smtp://127.0.0.1:1",
    VITRINE_BILLING: "none",
    ...silent.settings(),
  });
  const { page, leave } = await stranger(browser);
  for (const path of ["login", "sign-up"] as const) {
    await page.goto(`${bare.url}/${path}`);
    for (const name of ["Google", "Apple"] as const) {
      const popup = await opened(page, name);
      await closed(popup);
      await toast(page, failed[path][name]);
    }
  }
  await leave();
  await bare.stop();
});

test("a blocked popup is reported as blocked", async ({ browser }) => {
  const { page, leave } = await stranger(browser);
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(`${here.server.url}/login`);
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await toast(page, "The sign-in window was blocked. Allow pop-ups for this site in your browser, then try again.");
  await accessible(page);
  await leave();
});

test("a provider can rotate its keys", async ({ browser }) => {
  const email = address("hedy");
  await signInWithGoogle(browser, email);
  const before = here.google.read.filter((path) => path === "/jwks").length;
  await here.google.rotate();
  await signInWithGoogle(browser, email);
  expect(here.google.read.filter((path) => path === "/jwks")).toHaveLength(before + 1);
});

test("an ID token of another sign-in is refused", async ({ browser }) => {
  here.google.bend = (query) => query.set("nonce", "of-someone-else");
  const { page, leave } = await stranger(browser);
  await page.goto(`${here.server.url}/login`);
  await enter(await opened(page, "Google"), address("eve"));
  await toast(page, failed.login.Google);
  expect(await personOf(page)).toBeNull();
  await leave();
});

test("a client that fails to authenticate gets the toast, never a session", async ({ browser }, info) => {
  const file = info.outputPath("AuthKey.p8");
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await writeFile(file, privateKey.export({ type: "pkcs8", format: "pem" }));
  const wrong = await Server.start({
    ...here.google.settings(),
    ...here.apple.settings(),
    VITRINE_OIDC_GOOGLE_CLIENT_SECRET: "not the secret",
    VITRINE_OIDC_APPLE_KEY_FILE: file,
  });
  for (const peer of [here.google, here.apple]) peer.admit(wrong.url);
  const { page, leave } = await stranger(browser);
  for (const [name, peer] of [
    ["Google", here.google],
    ["Apple", here.apple],
  ] as const) {
    const before = peer.refused.length;
    await page.goto(`${wrong.url}/login`);
    await enter(await opened(page, name), address("mallory"));
    await toast(page, failed.login[name]);
    expect(peer.refused.slice(before)).toEqual(["invalid_client"]);
    expect(await personOf(page)).toBeNull();
  }
  await leave();
  await wrong.stop();
});

test("an unsolicited response changes nothing, and its page is readable", async ({ browser }) => {
  const { page, leave } = await stranger(browser);
  await page.goto(`${here.server.url}/v1/auth/oidc/google/callback?state=made-up&code=made-up`);
  await expect(page.getByRole("status")).toHaveText("Sign-in failed. Close this window and try again.");
  await accessible(page);
  expect(await personOf(page)).toBeNull();
  await leave();
});

/** Signs in with Google in a new browser. */
async function signInWithGoogle(browser: Browser, email: string): Promise<void> {
  const { page, leave } = await stranger(browser);
  await page.goto(`${here.server.url}/login`);
  await enter(await opened(page, "Google"), email);
  await expect(page).toHaveURL(onboarding);
  await leave();
}
