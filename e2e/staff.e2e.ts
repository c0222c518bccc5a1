// Staff: invited, accepting, promoted, demoted and removed while at work, and leaving. Real people in real roles.
import type { Browser, Locator, Page } from "@playwright/test";
import { fits } from "./support/content.ts";
import { founded, phone } from "./support/portal.ts";
import { Caller } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { accessible, expect, test } from "./support/test.ts";
import {
  address,
  byPassword,
  iphone,
  laptop,
  linkTo,
  type Member,
  member,
  onboard,
  stranger,
  type Tab,
  tabOfMember,
  toast,
  untroubled,
  verifyAddress,
} from "./support/ways-in.ts";

let server: Server;

test.beforeAll(async () => {
  server = await Server.start({ VITRINE_BILLING: "none" });
});

test.afterAll(() => server?.stop());

async function owner(name: string, org: string): Promise<{ ada: Member; org: string }> {
  const ada = await member(server, name);
  return { ada, org: await founded(server, ada, org) };
}

async function confirmed(name: string): Promise<Member> {
  const person = await member(server, name);
  await verifyAddress(server, person);
  return person;
}

/** Opens the Users screen of the organisation. */
async function users(browser: Browser, person: Member, org: string, device = laptop): Promise<Tab> {
  const tab = await tabOfMember(browser, server, person, device);
  await tab.page.goto(`${server.url}/org/${org}/users`);
  return tab;
}

async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.getByRole("button", { name: "Invite admin" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite admin" });
  await dialog.getByLabel("Email").fill(email);
  await choose(page, dialog, role);
  await dialog.getByRole("button", { name: "Send invite" }).click();
  await toast(page, "Invite sent successfully!", "status");
  await expect(dialog).toBeHidden();
}

async function choose(page: Page, dialog: Locator, role: string): Promise<void> {
  const select = dialog.getByRole("combobox", { name: "Role" });
  await expect(select).toBeEnabled();
  await select.click();
  await page.getByRole("option", { name: role, exact: true }).click();
}

/** Opens the link of the newest invitation in the browser of the person. */
async function openInvite(browser: Browser, person: Member, email = person.email): Promise<Tab> {
  const link = await linkTo(server, email, "/invite");
  const tab = await tabOfMember(browser, server, person, laptop);
  await tab.page.goto(link);
  return tab;
}

const pending = (page: Page) => page.getByRole("list", { name: "Staff invitations" });
const menu = (page: Page, name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });

test("a person is invited, accepts, is promoted, demoted and removed while at work, and follows without a reload", async ({
  browser,
}) => {
  const { ada, org } = await owner("Ada", "Northwind");
  const bea = await confirmed("Bea");
  const admin = await users(browser, ada, org);
  await admin.page.getByRole("button", { name: "Invite admin" }).click();
  const dialog = admin.page.getByRole("dialog", { name: "Invite admin" });
  await expect(dialog.getByText(/^Be careful/)).toBeVisible();
  await expect(dialog.getByRole("combobox", { name: "Role" })).toHaveValue("Super admin");
  await dialog.getByLabel("Email").fill("bea");
  await dialog.getByRole("button", { name: "Send invite" }).click();
  await expect(dialog.getByText("Invalid email!")).toBeVisible();
  await accessible(admin.page);
  await dialog.getByLabel("Email").press("Escape");
  await expect(dialog).toBeHidden();
  await invite(admin.page, bea.email, "Team user");
  await expect(pending(admin.page).getByText(bea.email)).toBeVisible();
  await accessible(admin.page);

  const atWork = await openInvite(browser, bea);
  await expect(atWork.page.getByRole("heading", { name: "Invitation accepted!" })).toBeVisible();
  await accessible(atWork.page);
  await atWork.page.getByRole("button", { name: "To dashboard" }).click();
  await expect(atWork.page).toHaveURL(new RegExp(`/org/${org}/home$`));
  await expect(menu(atWork.page, "Home")).toBeVisible();
  await expect(menu(atWork.page, "Users")).toHaveCount(0);

  await admin.page.reload();
  await expect(pending(admin.page)).toHaveCount(0);
  await admin.page.getByRole("button", { name: "Bea", exact: true }).click();
  const card = admin.page.getByRole("dialog", { name: "User" });
  await choose(admin.page, card, "Account admin");
  await expect(card.getByText("Account admin").first()).toBeVisible();
  await accessible(admin.page);
  // Coming back to the window is enough.
  await atWork.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await menu(atWork.page, "Users").click();
  await expect(atWork.page.getByRole("heading", { name: "Northwind Users" })).toBeVisible();

  await choose(admin.page, card, "Team user");
  await expect(card.getByRole("combobox", { name: "Role" })).toHaveValue("Team user");
  // Unlike the list, the badge shows what the server has stored.
  await expect(card.getByText("Team user").first()).toBeVisible();
  // The next thing the server refuses shows the new role.
  await atWork.page.getByRole("searchbox", { name: "Search users" }).fill("ada");
  await expect(menu(atWork.page, "Users")).toHaveCount(0);
  await expect(atWork.page.getByRole("heading", { name: "Northwind Users" })).toHaveCount(0);

  await card.getByRole("button", { name: "Remove from organization" }).click();
  const asking = admin.page.getByRole("dialog", { name: "Confirmation" });
  await asking.getByRole("button", { name: "Remove from organization" }).click();
  await toast(admin.page, "User removed", "status");
  await expect(admin.page.getByRole("button", { name: "Bea", exact: true })).toHaveCount(0);
  await atWork.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(atWork.page).toHaveURL(/\/no-plan$/);

  await menu(admin.page, "Organization").click();
  await admin.page.getByRole("link", { name: "Audit log" }).click();
  const log = admin.page.getByRole("main").getByRole("listitem");
  await expect(log.nth(0)).toContainText("Person removed");
  await expect(log.nth(1)).toContainText("Role: Account admin → Team user");
  await expect(log.nth(3)).toContainText("Invitation accepted");
  await expect(log.nth(4)).toContainText(bea.email);
  await accessible(admin.page);
  await admin.leave();
  await atWork.page.context().close();
});

test("an invitation for another account is rejected, and accepted after signing in to the right one", async ({
  browser,
}) => {
  const { ada, org } = await owner("Ada", "Southwind");
  const [bea, eve] = [await confirmed("Bea"), await confirmed("Eve")];
  const admin = await users(browser, ada, org);
  await invite(admin.page, bea.email, "Manager");
  await admin.leave();
  const { page, leave } = await openInvite(browser, eve, bea.email);
  await expect(page.getByRole("heading", { name: "Invitation rejected!" })).toBeVisible();
  await expect(page.getByText(`Your invitation for the account with ${eve.email} is not valid.`)).toBeVisible();
  await accessible(page);
  await page.getByRole("button", { name: "Logout" }).click();
  await byPassword(page, bea);
  await expect(page.getByRole("heading", { name: "Invitation accepted!" })).toBeVisible();
  await page.getByRole("button", { name: "To dashboard" }).click();
  await expect(page).toHaveURL(new RegExp(`/org/${org}/home$`));
  await leave();
});

test("an invitation survives a lost connection, and dies when it is replaced or revoked", async ({ browser }) => {
  const { ada, org } = await owner("Ada", "Westwind");
  const bea = await confirmed("Bea");
  const admin = await users(browser, ada, org);
  await invite(admin.page, bea.email, "Team leader");
  const first = await linkTo(server, bea.email, "/invite");
  await untroubled(admin.page);
  await admin.page.getByRole("button", { name: `Resend the invitation to ${bea.email}` }).click();
  await toast(admin.page, "Invite sent successfully!", "status");
  const newest = async () => linkTo(server, bea.email, "/invite");
  await expect.poll(newest).not.toBe(first);

  const tab = await tabOfMember(browser, server, bea, laptop);
  await tab.page.goto(first);
  await expect(tab.page.getByRole("heading", { name: "Invitation rejected!" })).toBeVisible();
  await tab.page.route(/\/v1\/invites\//, (route) => route.abort());
  await tab.page.goto(await newest());
  await expect(tab.page.getByRole("heading", { name: "We could not check your invitation" })).toBeVisible();
  await accessible(tab.page);

  await admin.page.getByRole("button", { name: `Revoke the invitation to ${bea.email}` }).click();
  await admin.page.getByRole("dialog", { name: "Confirmation" }).getByRole("button", { name: "Revoke" }).click();
  await toast(admin.page, "Invitation revoked", "status");
  await expect(pending(admin.page)).toHaveCount(0);
  await tab.page.unroute(/\/v1\/invites\//);
  await tab.page.getByRole("button", { name: "Try again" }).click();
  await expect(tab.page.getByRole("heading", { name: "Invitation rejected!" })).toBeVisible();
  await admin.leave();
  await tab.page.context().close();
});

test("a new person signs up from an invitation, and leaves the organisation again, on a phone", async ({ browser }) => {
  const { ada, org } = await owner("Ada", "Eastwind");
  const email = address("New");
  const admin = await users(browser, ada, org);
  await invite(admin.page, email, "Account admin");
  await admin.leave();
  const { page, leave } = await stranger(browser, { userAgent: iphone, viewport: phone, hasTouch: true });
  await page.goto(await linkTo(server, email, "/invite"));
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.goto(await linkTo(server, email, "/authenticate"));
  await onboard(page, { first: "Nia", last: "New" });
  await expect(page.getByRole("heading", { name: "Invitation accepted!" })).toBeVisible();
  await fits(page);
  await page.getByRole("button", { name: "To dashboard" }).click();
  await page.goto(`${server.url}/org/${org}/users`);
  await expect(page.getByRole("heading", { name: "Eastwind Users" })).toBeVisible();
  await fits(page);
  await page.getByRole("button", { name: "Ada", exact: true }).click();
  const card = page.getByRole("dialog", { name: "User" });
  await expect(card.getByText("This role is above yours, so you cannot change it.")).toBeVisible();
  await expect(card.getByRole("combobox", { name: "Role" })).toBeDisabled();
  await accessible(page);
  await page.goto(`${server.url}/settings`);
  await page.getByRole("button", { name: "Leave Eastwind" }).click();
  await page.getByRole("dialog", { name: "Confirmation" }).getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/no-plan$/);
  await leave();
});

test("an invitation expires after a week, and is sent again", async ({ browser }) => {
  const later = await Server.start({ VITRINE_BILLING: "none" });
  const ada = await member(later, "Ada");
  const org = await founded(later, ada, "Latewind");
  const bea = await member(later, "Bea");
  await verifyAddress(later, bea);
  await new Caller(later, ada.token).call("POST", `/v1/organizations/${org}/roles`, {
    userEmail: bea.email,
    role: "manager",
  });
  const link = await linkTo(later, bea.email, "/invite");
  await new Caller(later).call("POST", "/sandbox/api/clock", { advanceDays: 7 });
  const tab = await tabOfMember(browser, later, bea, laptop);
  await tab.page.goto(link);
  await expect(tab.page.getByRole("heading", { name: "Invitation rejected!" })).toBeVisible();
  const admin = await tabOfMember(browser, later, ada, laptop);
  await admin.page.goto(`${later.url}/org/${org}/users`);
  await expect(pending(admin.page).getByText("Expired")).toBeVisible();
  await admin.page.getByRole("button", { name: `Resend the invitation to ${bea.email}` }).click();
  await toast(admin.page, "Invite sent successfully!", "status");
  await expect(pending(admin.page).getByText("Pending", { exact: true })).toBeVisible();
  await expect.poll(() => linkTo(later, bea.email, "/invite")).not.toBe(link);
  await tab.page.goto(await linkTo(later, bea.email, "/invite"));
  await expect(tab.page.getByRole("heading", { name: "Invitation accepted!" })).toBeVisible();
  await tab.page.context().close();
  await admin.leave();
  await later.stop();
});
