// User errors and outages: each shows a clear message and loses nothing.
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { organisation } from "./support/portal.ts";
import { Caller, type Seeded, seed, signIn } from "./support/seed.ts";
import { expect, test } from "./support/test.ts";

const video = resolve(import.meta.dirname, "../target/media/phone.mp4");
let seeded: Seeded;

test.beforeAll(async ({ server }) => {
  seeded = await seed(server, 1);
});

async function portalOf(browser: Browser, token: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript((value) => {
    localStorage.setItem("vitrine.session", JSON.stringify({ accessToken: value }));
  }, token);
  return page;
}

test("a dead link says so and leads back to sign-in", async ({ page, server }) => {
  await page.addInitScript(() => localStorage.setItem("emailForSignIn", "ada@example.com"));
  await page.goto(`${server.url}/authenticate?action=login&code=nonsense`);
  await expect(page.getByText("The sign-in link is invalid or has expired.")).toBeVisible();
  await page.getByRole("link", { name: /sign in/i }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test("a link works once, and on another device it asks for the address", async ({ browser, server }) => {
  const email = `twice-${randomUUID()}@example.com`;
  await new Caller(server).call("POST", "/v1/auth/magic-links", { email, action: "login" });
  const [link] = await server.mailLinks(email);
  const first = await (await browser.newContext()).newPage();
  await first.goto(link!);
  await expect(first.getByText("Please provide your email for confirmation")).toBeVisible();
  await first.getByLabel("Email").fill(email);
  await first.keyboard.press("Enter");
  await first.waitForURL(/\/on-boarding\/details\/user$/);
  const second = await (await browser.newContext()).newPage();
  await second.goto(link!);
  await second.getByLabel("Email").fill(email);
  await second.keyboard.press("Enter");
  await expect(second.getByText("The sign-in link is invalid or has expired.")).toBeVisible();
});

test("an invalid address sends nothing", async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByLabel("Email").fill("ada@nowhere");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  // Any request of the click was sent before this.
  await page.evaluate(() => fetch("/v1/config").then(() => null));
  expect(asked.some((url) => url.endsWith("/v1/config"))).toBe(true);
  expect(asked.filter((url) => url.includes("magic-links"))).toEqual([]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a private address is remembered with its query", async ({ page, server }) => {
  await page.goto(`${server.url}/org/${seeded.org}/leads?x=1`);
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.getItem("redirectUrl"))).toBe(`/org/${seeded.org}/leads?x=1`);
});

test("a text file named as a video is refused with the reason, and so is an empty file", async ({ browser, server }) => {
  const page = await portalOf(browser, seeded.owner.token);
  await page.goto(`${server.url}/org/${seeded.org}/playlists/${seeded.playlists[2]}`);
  await page.getByRole("button", { name: /^Add/ }).first().click();
  await page.getByRole("menuitem", { name: "Add file" }).click();
  const wizard = page.getByRole("dialog");
  const files = wizard.locator('input[type="file"]');
  await files.setInputFiles({ name: "empty.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(0) });
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await expect(wizard.getByText("This file is empty.")).toBeVisible();
  await wizard.getByRole("button", { name: "Choose another file" }).click();
  await files.setInputFiles({ name: "lie.mp4", mimeType: "video/mp4", buffer: Buffer.from("no film at all ".repeat(500)) });
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(wizard.getByRole("alert").first()).toContainText(/Problem creating content/);
  await wizard.getByRole("button", { name: "Close" }).or(wizard.locator(".mantine-Modal-close")).first().click();
  await expect(page.getByText("lie", { exact: true })).toHaveCount(0);
});

test("an upload interrupted by a killed server can be sent again", async ({ browser, server }) => {
  const page = await portalOf(browser, seeded.owner.token);
  await page.goto(`${server.url}/org/${seeded.org}/playlists/${seeded.playlists[2]}`);
  await page.getByRole("button", { name: /^Add/ }).first().click();
  await page.getByRole("menuitem", { name: "Add file" }).click();
  const wizard = page.getByRole("dialog");
  await wizard.locator('input[type="file"]').setInputFiles(video);
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await wizard.getByLabel("Title", { exact: true }).fill("Second try");
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await server.kill();
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(wizard.getByRole("alert").first()).toBeVisible({ timeout: 30_000 });
  await server.launch();
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(wizard.getByText("Upload successful!")).toBeVisible({ timeout: 60_000 });
  await wizard.getByRole("button", { name: "Done" }).last().click();
  await expect(page.getByText("Second try").first()).toBeVisible();
});

test("a double click creates one playlist and one video", async ({ browser, server }) => {
  const api = new Caller(server, seeded.owner.token);
  const named = async (kind: string, title: string): Promise<number> => {
    const list = await api.call<{ data: unknown[] }>("GET", `/v1/${kind}?orgId=${seeded.org}&search=${title}`);
    return list.data.length;
  };
  const page = await portalOf(browser, seeded.owner.token);
  const wizard = page.getByRole("dialog");
  const next = wizard.getByRole("button", { name: "Next", exact: true });
  await page.goto(`${server.url}/org/${seeded.org}/playlists`);
  await page.getByRole("button", { name: /^Add/ }).first().click();
  await page.getByRole("menuitem", { name: "Add playlist" }).click();
  await wizard.getByLabel("Title", { exact: true }).fill("OnceList");
  await next.click();
  await wizard.getByRole("button", { name: "Finish" }).dblclick();
  await expect(wizard.getByText("Playlist added!")).toBeVisible();
  expect(await named("playlists", "OnceList")).toBe(1);

  const path = `/playlists/${seeded.playlists[1]}`;
  const before = await api.call<{ items: string[] }>("GET", `/v1${path}`);
  await page.goto(`${server.url}/org/${seeded.org}${path}`);
  await page.getByRole("button", { name: /^Add/ }).first().click();
  await page.getByRole("menuitem", { name: "Add file" }).click();
  await wizard.locator('input[type="file"]').setInputFiles(video);
  await next.click();
  await wizard.getByLabel("Title", { exact: true }).fill("OnceFilm");
  await next.click();
  await wizard.getByRole("button", { name: "Upload", exact: true }).dblclick();
  await expect(wizard.getByText("Upload successful!")).toBeVisible({ timeout: 60_000 });
  expect(await named("content", "OnceFilm")).toBe(1);
  const after = await api.call<{ items: string[] }>("GET", `/v1${path}`);
  expect(after.items.length).toBe(before.items.length + 1);
});

test("another organisation's address shows the 404 page", async ({ browser, server }) => {
  const stranger = await signIn(server, `mallory-${randomUUID()}@example.com`, "Mallory Moe");
  // With an organisation of their own; without one they would see the page for people without a plan.
  await organisation(server, stranger, "Moe Media");
  const page = await portalOf(browser, stranger.token);
  await page.goto(`${server.url}/org/${seeded.org}/home`);
  await expect(page.getByText("Oops! Page Not Found")).toBeVisible();
  await expect(page.getByText("Northwind Media")).toHaveCount(0);
});

test("a declined card leads to the failure page with a retry", async ({ browser, server }) => {
  const buyer = await signIn(server, `buyer-${randomUUID()}@example.com`, "Bea Buyer");
  const account = { friendlyName: "B", billingName: "B", billingEmail: "b@example.com", billingPhone: "1" };
  const made = await new Caller(server, buyer.token).call<{ uid: string }>("POST", "/v1/accounts", { account });
  const page = await portalOf(browser, buyer.token);
  await page.addInitScript(() => localStorage.setItem("planId", "essentials-monthly"));
  await page.goto(`${server.url}/billing/${made.uid}`);
  await page.waitForURL(/\/sandbox\/pay\//);
  await page.getByLabel("Card number").fill("4000 0000 0000 0002");
  await page.getByLabel(/Expiry/).fill("12 / 30");
  await page.getByLabel(/CVC|Security code/i).fill("123");
  await page.getByLabel(/Name/).fill("Bea Buyer");
  await page.getByRole("button", { name: /^(Pay|Subscribe)/ }).click();
  await page.waitForURL(/\/billing\/cancelled/);
  await expect(page.getByText("Payment Failed for Essentials Monthly")).toBeVisible();
  await page.getByRole("button", { name: "Retry Payment" }).or(page.getByRole("link", { name: "Retry Payment" })).click();
  await expect(page).toHaveURL(/\/select-billing-account/);
});
