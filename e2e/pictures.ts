// Takes screenshots of the demo's screens, at both widths and in both color schemes.
import { basename, resolve } from "node:path";
import { type Browser, test as base, expect, type Page } from "@playwright/test";
import { imageFile } from "./support/files.ts";
import { Caller, embed, linkSignIn, type Person } from "./support/seed.ts";
import { Server } from "./support/server.ts";

const folder = resolve(import.meta.dirname, process.env["PICTURES"] ?? "test-results/pictures");
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
/** Further sizes for the viewer app. */
const viewerSizes = { tablet: { width: 768, height: 1024 }, small: { width: 360, height: 740 } };
/** A staff member and an app user of the demo; `vitrine demo` prints the password. */
const founder = { email: "alexandra.lindqvist@northwind.example", password: "lantern-orchard-42" };
const viewer = { email: "grace.holloway@brightwater-capital.example", name: "Grace Holloway" };

base("pictures", async ({ browser }) => {
  base.setTimeout(900_000);
  const server = await Server.demo();
  try {
    const session = await new Caller(server).call<{ accessToken: string }>("POST", "/v1/auth/sign-in", founder);
    const api = new Caller(server, session.accessToken);
    const organisations = await api.call<{ data: { uid: string; publicJoinUrl: string }[] }>("GET", "/v1/organizations");
    const { uid: org, publicJoinUrl: joinUrl } = organisations.data[0]!;
    const playlists = await api.call<{ data: { uid: string; title: string }[] }>("GET", `/v1/playlists?orgId=${org}`);
    const playlist = playlists.data.find(({ title }) => title === "Market briefings")!.uid;
    const image = await imageFile();
    await deleteSome(api, org);
    const grace = await linkSignIn(server, viewer.email);
    const invitation = await inviteSome(server, api, org);
    for (const [size, viewport] of Object.entries({ ...sizes, ...viewerSizes })) {
      for (const colorScheme of ["light", "dark"] as const) {
        const prefix = `${folder}/${size}-${colorScheme}`;
        const page = await opened(browser, viewport, colorScheme, session.accessToken, grace);
        if (size in sizes) await portalScreens(page, server.url, { org, playlist, image }, prefix);
        await viewerScreens(page, server.url, { org, playlist, joinUrl, invitation }, prefix);
        await page.context().close();
      }
    }
  } finally {
    await server.stop();
  }
});

/** Deletes a playlist and an item that were made for it. */
async function deleteSome(api: Caller, orgId: string): Promise<void> {
  const playlist = { title: "Autumn campaign", items: [] };
  const { uid } = await api.call<{ uid: string }>("POST", "/v1/playlists", { playlist, orgId });
  await api.call("DELETE", `/v1/playlists/${uid}`);
  await api.call("DELETE", `/v1/content/${await embed(api, orgId, "Interview, first cut")}`);
}

/** Invites viewers, and keeps one person from rejoining. Returns the link of an invitation. */
async function inviteSome(server: Server, api: Caller, orgId: string): Promise<string> {
  const userEmails = ["maya.okafor@harbour-law.example", "tom.reyes@harbour-law.example", "li.wei@harbour-law.example"];
  await api.call("POST", `/v1/organizations/${orgId}/invites`, { userEmails, role: "user" });
  const people = await api.call<{ data: { userId: string; role: string; user: { email: string } }[] }>(
    "GET",
    `/v1/organizations/${orgId}/users`,
  );
  const removed = people.data.find(({ role, user }) => role === "user" && user.email !== viewer.email);
  await api.call("PUT", `/v1/organizations/${orgId}/users/${removed!.userId}/block`);
  const [link = ""] = await server.mailLinks(userEmails[0]!);
  return link;
}

async function opened(
  browser: Browser,
  viewport: { width: number; height: number },
  colorScheme: "light" | "dark",
  token: string,
  grace: Person,
): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.addInitScript(
    ([staff, app, scheme]) => {
      localStorage.setItem("vitrine.session", JSON.stringify({ accessToken: staff }));
      localStorage.setItem("vitrine.viewer.session", JSON.stringify({ accessToken: app }));
      localStorage.setItem("mantine-color-scheme-value", scheme!);
    },
    [token, grace.token, colorScheme],
  );
  return page;
}

async function show(page: Page, url: string, path: string): Promise<void> {
  await page.goto(url);
  await page.waitForLoadState("networkidle");
  await expect(page.locator("body")).not.toBeEmpty();
  await page.screenshot({ path });
}

async function portalScreens(
  page: Page,
  url: string,
  { org, playlist, image }: { org: string; playlist: string; image: string },
  prefix: string,
): Promise<void> {
  const paths = {
    home: `/org/${org}/home`,
    content: `/org/${org}/playlists`,
    playlist: `/org/${org}/playlists/${playlist}`,
    users: `/org/${org}/users`,
    analytics: `/org/${org}/analytics`,
    leads: `/org/${org}/leads`,
    organisation: `/org/${org}/profile`,
    audit: `/org/${org}/audit`,
    profile: "/user-profile",
    billing: "/billing",
    pricing: "/pricing",
    "billing-form": "/create-billing-account?type=business",
    "billing-account": "/select-billing-account?planId=professional-annual",
    cancelled: "/billing/cancelled",
    settings: "/settings",
    deleted: `/org/${org}/playlists?tab=deleted`,
    missing: "/org/nowhere",
  };
  for (const [name, path] of Object.entries(paths)) await show(page, url + path, `${prefix}-${name}.png`);
  await page.goto(`${url}/org/${org}/profile`);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: `${prefix}-organisation-all.png`, fullPage: true });
  await page.getByLabel("Background wallpaper", { exact: true }).setInputFiles(image);
  await page.getByRole("dialog", { name: "Crop background wallpaper" }).getByRole("group").last().waitFor();
  await page.screenshot({ path: `${prefix}-crop.png` });
  await page.goto(`${url}/org/${org}/playlists/${playlist}`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("img", { name: /^QR code/ }).waitFor();
  await page.screenshot({ path: `${prefix}-share.png` });
  await page.goto(`${url}/billing`);
  for (const [name, title] of [
    ["Edit details", "Billing details"],
    ["Managers", "Managers"],
  ] as const) {
    await page.getByRole("button", { name }).first().click();
    await page.getByRole("dialog", { name: title }).waitFor();
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: `${prefix}-${name.toLowerCase().replace(" ", "-")}.png` });
    await page.keyboard.press("Escape");
  }
  await page.goto(`${url}/org/${org}/users`);
  await page.getByRole("button", { name: "Invite viewers" }).click();
  const invite = page.getByRole("dialog", { name: "Invite viewers" });
  // An address can be invited three times a day, so each run uses another one.
  await invite.getByLabel("Email", { exact: true }).fill(`ana@${basename(prefix)}.example\nmaya@harbour\n${viewer.email}`);
  await page.screenshot({ path: `${prefix}-invite-viewers.png` });
  await invite.getByRole("button", { name: "Send invite" }).click();
  await invite.getByText("2 addresses were not invited").waitFor();
  await page.screenshot({ path: `${prefix}-invite-refused.png` });
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox", { name: "Search users" }).fill(viewer.name);
  // What is found moves up.
  await page.getByText(/^(At least )?\d+ of/).waitFor();
  await page.getByRole("button", { name: viewer.name, exact: true }).click();
  await page.waitForLoadState("networkidle");
  await page.getByRole("dialog", { name: "User" }).waitFor();
  await page.screenshot({ path: `${prefix}-user.png` });
}

/** The viewer app as app users see it. */
async function viewerScreens(
  page: Page,
  url: string,
  { org, playlist, joinUrl, invitation }: { org: string; playlist: string; joinUrl: string; invitation: string },
  prefix: string,
): Promise<void> {
  const app = `${url}/app/org/${org}`;
  await show(page, joinUrl, `${prefix}-app-join.png`);
  await show(page, `${invitation}/consent`, `${prefix}-app-other-address.png`);
  await show(page, app, `${prefix}-app-home.png`);
  await show(page, `${app}/playlists/${playlist}`, `${prefix}-app-playlist.png`);
  await page.locator("media-play-button, [data-controls]").first().waitFor();
  await show(page, `${app}/search`, `${prefix}-app-search.png`);
  await page.getByRole("searchbox").fill("market");
  await page.getByRole("link", { name: /market/i }).first().waitFor();
  await page.screenshot({ path: `${prefix}-app-found.png` });
  await show(page, `${app}/me`, `${prefix}-app-me.png`);
  await page.screenshot({ path: `${prefix}-app-me-all.png`, fullPage: true });
  await show(page, `${app}/me/data`, `${prefix}-app-data.png`);
  await show(page, `${url}/app/details`, `${prefix}-app-details.png`);
  await show(page, `${app}/playlists/00000000-0000-4000-8000-000000000000`, `${prefix}-app-dead-link.png`);
  const { viewport, colorScheme } = await deviceOf(page);
  const signedOut = await page.context().browser()!.newPage({ viewport, colorScheme });
  await show(signedOut, `${url}/app/sign-in?joinCode=${joinUrl.split("/").at(-1)}`, `${prefix}-app-sign-in.png`);
  await signedOut.close();
}

async function deviceOf(page: Page): Promise<{ viewport: { width: number; height: number }; colorScheme: "light" | "dark" }> {
  const isDark = await page.evaluate(() => window.matchMedia("(prefers-color-scheme: dark)").matches);
  return { viewport: page.viewportSize()!, colorScheme: isDark ? "dark" : "light" };
}
