// Signing in with Google and Apple through a real popup: with an independent OpenID implementation, and with the
// sandbox's issuer for the name that only Apple sends along with the code.

import { failed, serverWithProviders } from "./support/providers.ts";
import { Caller, signIn } from "./support/seed.ts";
import { accessible, expect, test } from "./support/test.ts";
import {
  address,
  documents,
  elsewhere,
  enter,
  enterSandbox,
  onboard,
  onboarding,
  opened,
  personOf,
  stranger,
  toast,
  turnedAway,
} from "./support/ways-in.ts";

const here = serverWithProviders();

test("a new person signs up with Google, finds their name prefilled, and is recognized the next time", async ({ browser }) => {
  const email = address("grace");
  here.google.knows(email, { firstName: "Grace", lastName: "Hopper" });
  const { page, leave } = await stranger(browser);

  await test.step("the popup opens, the page stays", async () => {
    const answer = await page.goto(`${here.server.url}/sign-up`);
    expect(answer?.headers()["cross-origin-opener-policy"]).toBe("same-origin-allow-popups");
    const loaded = documents(page);
    const popup = await opened(page, "Google");
    await expect(page.getByText("Continue in the Google window.")).toBeVisible();
    await accessible(page);
    await popup.waitForURL((url) => url.origin === here.google.issuer);
    expect(new URL(page.url()).pathname).toBe("/sign-up");
    await enter(popup, email);
    await expect(page).toHaveURL(onboarding);
    expect(loaded).toEqual([]);
  });

  await test.step("the authorization request", () => {
    const asked = here.google.asked.at(-1)!;
    expect(asked.get("response_type")).toBe("code");
    expect(asked.get("scope")?.split(" ").sort()).toEqual(["email", "openid", "profile"]);
    expect(asked.get("code_challenge_method")).toBe("S256");
    for (const name of ["state", "nonce", "code_challenge"]) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    expect(asked.get("redirect_uri")).toBe(`${here.server.url}/v1/auth/oidc/google/callback`);
  });

  await test.step("onboarding has the name", async () => {
    await expect(page.getByLabel("First name")).toHaveValue("Grace");
    await expect(page.getByLabel("Last name")).toHaveValue("Hopper");
    await onboard(page);
    await expect(page).toHaveURL(/\/no-plan$/);
  });

  await test.step("recognized in another browser, and back at the requested address", async () => {
    const { page: other, leave: otherLeaves } = await stranger(browser);
    await turnedAway(other, here.server, elsewhere);
    await enter(await opened(other, "Google"), email);
    await expect(other).toHaveURL(here.server.url + elsewhere);
    expect(await personOf(other)).toBe(await personOf(page));
    await otherLeaves();
  });
  await leave();
});

test("a new person signs up with Apple, which responds by a cross-site form post", async ({ browser }) => {
  const email = address("annie");
  const { page, leave } = await stranger(browser);
  await page.goto(`${here.server.url}/login`);
  const loaded = documents(page);
  const popup = await opened(page, "Apple");
  const posted = popup.waitForRequest((request) => request.url().endsWith("/v1/auth/oidc/apple/callback"));
  await enter(popup, email);
  const answer = await posted;
  expect(answer.method()).toBe("POST");
  expect(answer.headers()["origin"]).toBe(here.apple.issuer);
  await expect(page).toHaveURL(onboarding);
  expect(loaded).toEqual([]);

  const asked = here.apple.asked.at(-1)!;
  expect(asked.get("response_mode")).toBe("form_post");
  expect(asked.get("scope")?.split(" ").sort()).toEqual(["email", "name", "openid"]);
  expect(asked.get("code_challenge_method")).toBe("S256");
  await onboard(page, { first: "Annie", last: "Easley" });
  await expect(page).toHaveURL(/\/no-plan$/);

  const { page: other, leave: otherLeaves } = await stranger(browser);
  await turnedAway(other, here.server, elsewhere);
  await other.getByRole("link", { name: "Sign up" }).click();
  await enter(await opened(other, "Apple"), email);
  await expect(other).toHaveURL(here.server.url + elsewhere);
  expect(await personOf(other)).toBe(await personOf(page));
  await leave();
  await otherLeaves();
});

test("Apple sends a name once, along with the code, and onboarding has it", async ({ browser, server }) => {
  const email = address("ada");
  for (const round of ["the first time", "the second time, when Apple does not send it again"]) {
    await test.step(round, async () => {
      const { page, leave } = await stranger(browser);
      await page.goto(`${server.url}/sign-up`);
      await enterSandbox(await opened(page, "Apple"), "Ada King Lovelace", email);
      if (round === "the first time") {
        await expect(page).toHaveURL(onboarding);
        await expect(page.getByLabel("First name")).toHaveValue("Ada King");
        await expect(page.getByLabel("Last name")).toHaveValue("Lovelace");
      } else {
        await expect(page).toHaveURL(/\/no-plan$/);
      }
      await leave();
    });
  }
});

test("a provider whose pages sever the opener still signs in, even after the grace period", async ({ browser }) => {
  here.google.cutsOpener = true;
  const { page, leave } = await stranger(browser);
  await turnedAway(page, here.server, elsewhere);
  const popup = await opened(page, "Google");
  // The popup now looks closed to this page, so it gives up; the message still arrives.
  await toast(page, failed.login.Google);
  expect(popup.isClosed()).toBe(false);
  const email = address("mary");
  here.google.knows(email, { firstName: "Mary", lastName: "Jackson" });
  await enter(popup, email);
  await expect(page.getByLabel("First name")).toHaveValue("Mary");
  await onboard(page);
  await expect(page).toHaveURL(here.server.url + elsewhere);
  await leave();
});

test.describe("existing accounts", () => {
  test("a magic-link account and Google with the same confirmed address are merged", async ({ browser }) => {
    const person = await signIn(here.server, address("dorothy"), "Dorothy Vaughan");
    const { page, leave } = await stranger(browser);
    await page.goto(`${here.server.url}/login`);
    await enter(await opened(page, "Google"), person.email);
    await expect(page).toHaveURL(/\/no-plan$/);
    expect(await personOf(page)).toBe(person.uid);
    const methods = await new Caller(here.server, person.token).call("GET", "/v1/auth/methods");
    expect(methods).toEqual({ email: person.email, emailVerified: true, password: false, providers: ["google"] });
    await leave();
  });

  test("an address that Google has not confirmed does not open another person's account", async ({ browser }) => {
    const person = await signIn(here.server, address("melba"), "Melba Mouton");
    here.google.knows(person.email, { verified: false });
    const { page, leave } = await stranger(browser);
    await page.goto(`${here.server.url}/login`);
    await enter(await opened(page, "Google"), person.email);
    await toast(
      page,
      "Google has not confirmed this email address, and it belongs to an account here. Please sign in by email.",
    );
    expect(await personOf(page)).toBeNull();
    await expect(page).toHaveURL(/\/login$/);
    const methods = await new Caller(here.server, person.token).call("GET", "/v1/auth/methods");
    expect(methods["providers"]).toEqual([]);
    await leave();
  });

  test("a person who signed up with someone else's address loses it to the owner", async ({ browser }) => {
    const email = address("evelyn");
    const password = "wren-tapestry-94";
    const early = await new Caller(here.server).call<{ accessToken: string; profile: { uid: string } }>(
      "POST",
      "/v1/auth/sign-up",
      { email, password },
    );
    const { page, leave } = await stranger(browser);
    await page.goto(`${here.server.url}/login`);
    await enter(await opened(page, "Google"), email);
    await expect(page).toHaveURL(onboarding);
    expect(await personOf(page)).toBe(early.profile.uid);
    const refused = /: 401 /;
    await expect(new Caller(here.server, early.accessToken).call("GET", "/v1/auth/methods")).rejects.toThrow(refused);
    await expect(new Caller(here.server).call("POST", "/v1/auth/sign-in", { email, password })).rejects.toThrow(
      refused,
    );
    await leave();
  });
});
