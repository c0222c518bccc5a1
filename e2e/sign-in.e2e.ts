// Signing in by password and by emailed link, here and on another device, and the limits of emailed links.
import { founded, phone } from "./support/portal.ts";
import { Caller, pass } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { accessible, expect, test } from "./support/test.ts";
import {
  address,
  again,
  byPassword,
  elsewhere,
  iphone,
  laptop,
  linkTo,
  manually,
  member,
  onboard,
  onboarding,
  password,
  personOf,
  stranger,
  tabOfMember,
  tabTo,
  toast,
  turnedAway,
  untroubled,
} from "./support/ways-in.ts";

let server: Server;

test.beforeAll(async () => {
  server = await Server.start({ VITRINE_BILLING: "none" });
});

test.afterAll(() => server?.stop());

test("a new person signs up by password, then confirms the address", async ({ browser }) => {
  const email = address("joan");
  const secret = "wren-tapestry-94";
  const { page, leave } = await stranger(browser);

  await test.step("weak passwords", async () => {
    await page.goto(`${server.url}/sign-up`);
    await manually(page, email, "Sign up");
    const dialog = page.getByRole("dialog");
    const send = dialog.getByRole("button", { name: "Sign up" });
    await password(page).fill(secret);
    await again(page).fill(`${secret}5`);
    await send.click();
    await expect(dialog.getByText("Password do not match.", { exact: true })).toBeVisible();
    for (const [weak, sentence] of [
      ["password1", "This password is too easy to guess. Use a longer one, or several unusual words."],
      ["short", "Use 8 to 128 characters for your password."],
    ] as const) {
      await password(page).fill(weak);
      await again(page).fill(weak);
      await send.click();
      await expect(dialog.getByText(sentence, { exact: true })).toBeVisible();
      await expect(password(page)).toHaveAccessibleDescription(new RegExp(sentence));
    }
    await untroubled(page);
    await accessible(page);
    await password(page).fill(secret);
    await again(page).fill(secret);
    await send.click();
    await onboard(page, { first: "Joan", last: "Clarke" });
    await expect(page).toHaveURL(/\/no-plan$/);
  });

  await test.step("the emailed link, opened in another browser, asks to sign in first", async () => {
    const link = await linkTo(server, email, "/verify-email");
    const { page: other, leave: otherLeaves } = await stranger(browser);
    await other.goto(link);
    await expect(other).toHaveURL(/\/login$/);
    // An email was sent less than a minute ago, so the password option is offered with the message.
    await byPassword(other, { email, password: secret });
    await expect(other.getByText("Thank you. Your email address is confirmed.", { exact: true })).toBeVisible();
    await accessible(other);
    await otherLeaves();
    await page.goto(link);
    await expect(page.getByText("Your email address is already confirmed.", { exact: true })).toBeVisible();
  });

  await test.step("the address is taken", async () => {
    const { page: other, leave: otherLeaves } = await stranger(browser);
    await other.goto(`${server.url}/sign-up`);
    await manually(other, email, "Sign up");
    await password(other).fill("another-tapestry-17");
    await again(other).fill("another-tapestry-17");
    await other.getByRole("dialog").getByRole("button", { name: "Sign up" }).click();
    await toast(other, "This email address is already in use.");
    await otherLeaves();
  });
  await leave();
});

test("by keyboard alone: a wrong password, then the right one, and back to the start", async ({ browser }) => {
  const maria = await member(server, "Maria");
  const { page, leave } = await stranger(browser);
  await turnedAway(page, server, elsewhere);
  await tabTo(page, page.getByLabel("Email"));
  await page.keyboard.type(maria.email);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText(maria.email);
  await tabTo(page, page.getByRole("button", { name: "Sign in manually" }));
  await page.keyboard.press("Enter");
  await expect(password(page)).toBeFocused();
  await untroubled(page);
  await accessible(page);
  await page.keyboard.type("not-the-password");
  await page.keyboard.press("Enter");
  await toast(page, "There was a problem signing in.");
  await expect(password(page)).toBeFocused();
  // The wrong password is selected, so that typing replaces it.
  await page.keyboard.type(maria.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(server.url + elsewhere);
  await leave();
});

test("a reset by email and keyboard: the new password signs in, and every older session ends", async ({ browser }) => {
  const rosa = await member(server, "Rosa");
  await founded(server, rosa, "Rosa Ltd");
  const fresh = "heron-lantern-27";
  const old = await tabOfMember(browser, server, rosa, laptop);
  await old.page.goto(`${server.url}/settings`);
  await expect(old.page.getByRole("list", { name: "Where you are signed in" })).toBeVisible();
  const { page, leave } = await stranger(browser);

  await test.step("request the link", async () => {
    await page.goto(`${server.url}/login`);
    await manually(page, rosa.email, "Sign in");
    await tabTo(page, page.getByRole("link", { name: "Forgot password?" }));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/forgot-password$/);
    await expect(page.getByLabel("Email")).toHaveValue(rosa.email);
    await untroubled(page);
    await accessible(page);
    await tabTo(page, page.getByRole("button", { name: "Send reset link" }));
    await page.keyboard.press("Enter");
    await toast(page, "Password reset link sent on you email.", "status");
  });

  const link = await linkTo(server, rosa.email, "/reset-password");
  const field = page.getByLabel("New password", { exact: true });
  await test.step("choose the new password", async () => {
    await page.goto(link);
    await tabTo(page, field);
    await page.keyboard.type(fresh);
    await tabTo(page, again(page));
    await page.keyboard.type("something-else-27");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Password do not match.", { exact: true })).toBeVisible();
    await accessible(page);
    for (const typed of ["password1", fresh]) {
      for (const target of [field, again(page)]) {
        await target.focus();
        await page.keyboard.press("Control+A");
        await page.keyboard.type(typed);
      }
      await page.keyboard.press("Enter");
      // A refused password does not use up the link.
      if (typed !== fresh) await expect(page.getByText(/^This password is too easy to guess/)).toBeVisible();
    }
    await expect(page).toHaveURL(/\/org\/[^/]+\/home$/);
    expect(await personOf(page)).toBe(rosa.uid);
  });

  await test.step("the other browser is asked to sign in at its next call, and continues from there", async () => {
    await old.page.getByRole("link", { name: "Leads" }).click();
    await expect(old.page).toHaveURL(/\/login$/);
    await manually(old.page, rosa.email, "Sign in");
    await password(old.page).fill(rosa.password);
    await old.page.getByRole("button", { name: "Login" }).click();
    await toast(old.page, "There was a problem signing in.");
    await password(old.page).fill(fresh);
    await old.page.getByRole("button", { name: "Login" }).click();
    await expect(old.page).toHaveURL(/\/org\/[^/]+\/leads$/);
  });

  await test.step("the link works once", async () => {
    await page.goto(link);
    await field.fill("third-lantern-28");
    await again(page).fill("third-lantern-28");
    await page.getByRole("button", { name: "Save password" }).click();
    await expect(page.getByText("The reset link is invalid or has expired.", { exact: true })).toBeVisible();
    await accessible(page);
  });
  await old.leave();
  await leave();
});

test("a link opened on another device asks for the address; a wrong one does not use it up", async ({ browser }) => {
  const email = address("lise");
  const { page, leave } = await stranger(browser);
  await page.goto(`${server.url}/sign-up`);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await toast(page, "Magic link sent successfully.", "status");
  const link = await linkTo(server, email, "/authenticate");

  await test.step("elsewhere", async () => {
    const { page: other, leave: otherLeaves } = await stranger(browser, { userAgent: iphone, viewport: phone });
    await other.goto(link);
    await expect(other.getByText("Please provide your email for confirmation", { exact: true })).toBeVisible();
    await expect(other.getByLabel("Email")).toBeFocused();
    await accessible(other);
    await other.keyboard.type(address("other"));
    await other.keyboard.press("Enter");
    await expect(other.getByRole("alert")).toHaveText("The sign-in link is invalid or has expired.");
    await expect(other.getByLabel("Email")).toBeFocused();
    await accessible(other);
    await other.getByLabel("Email").fill(email);
    await other.keyboard.press("Enter");
    await expect(other).toHaveURL(onboarding);
    await otherLeaves();
  });

  await test.step("where it was requested, it is already used", async () => {
    await page.goto(link);
    await expect(page.getByRole("alert")).toHaveText("The sign-in link is invalid or has expired.");
    await page.getByRole("link", { name: "Back to sign in" }).click();
    await expect(page).toHaveURL(/\/login$/);
  });
  await leave();
});

test("expired links say so, and offer a new one", async ({ browser }) => {
  const email = address("sofia");
  const stale = { login: address("hertha"), reset: await member(server, "Henrietta") };
  const { page, leave } = await stranger(browser);
  await page.goto(`${server.url}/login`);
  await page.getByLabel("Email").fill(stale.login);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const signIn = await linkTo(server, stale.login, "/authenticate");
  await new Caller(server).call("POST", "/v1/auth/password-resets", { email: stale.reset.email });
  const reset = await linkTo(server, stale.reset.email, "/reset-password");

  await test.step("a magic link after ten minutes", async () => {
    await pass(server, 11);
    await page.goto(signIn);
    await expect(page.getByRole("alert")).toHaveText("The sign-in link is invalid or has expired.");
    expect(await personOf(page)).toBeNull();
  });

  await test.step("a reset link after an hour", async () => {
    await pass(server, 50);
    await page.goto(reset);
    await page.getByLabel("New password", { exact: true }).fill("heron-lantern-27");
    await again(page).fill("heron-lantern-27");
    await page.getByRole("button", { name: "Save password" }).click();
    await expect(page.getByRole("alert")).toHaveText("The reset link is invalid or has expired.");
    await page.getByRole("link", { name: "Request a new link" }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send reset link" }).click();
    await toast(page, "Password reset link sent on you email.", "status");
  });

  await test.step("a confirmation link after a day", async () => {
    const link = await linkTo(server, stale.reset.email, "/verify-email");
    await pass(server, 24 * 60);
    const old = await tabOfMember(browser, server, stale.reset, laptop);
    await old.page.goto(link);
    await expect(old.page.getByRole("alert")).toHaveText("The confirmation link is invalid or has expired.");
    await accessible(old.page);
    await old.page.getByRole("button", { name: "Resend confirmation email" }).click();
    await toast(old.page, "Confirmation email sent.", "status");
    const next = async () => (await linkTo(server, stale.reset.email, "/verify-email")) !== link;
    await expect.poll(next).toBe(true);
    await old.page.goto(await linkTo(server, stale.reset.email, "/verify-email"));
    await expect(old.page.getByText("Thank you. Your email address is confirmed.", { exact: true })).toBeVisible();
    await old.leave();
  });
  await leave();
});
