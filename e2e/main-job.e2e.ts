// The main journey: a new person signs up, buys a plan and publishes a video; another person joins and watches; the
// portal shows it. No stubs and no direct writes: every number at the end is computed from the player's beats.
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { plays } from "./support/content.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

const video = resolve(import.meta.dirname, "../target/media/phone.mp4");
const owner = "olivia@northwind.example.com";
const viewer = "victor@fans.example.com";

test("from sign-up to leads", async ({ browser, server }) => {
  const portal = await (await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] })).newPage();
  const portalIsQuiet = complaints(portal);

  await test.step("1. sign up by magic link, and onboarding", async () => {
    await portal.goto(`${server.url}/sign-up`);
    await accessible(portal);
    await portal.getByLabel("Email").fill(owner);
    await portal.getByRole("button", { name: "Sign up", exact: true }).click();
    await expect(portal.getByRole("dialog").getByText(/magic link/i).first()).toBeVisible();
    await accessible(portal);
    const [link] = await server.mailLinks(owner);
    await portal.goto(link!);
    await portal.waitForURL(/\/on-boarding\/details\/user$/);
    await accessible(portal);
    await portal.getByLabel("First name").fill("Olivia");
    await portal.getByLabel("Last name").fill("Northwind");
    await portal.getByLabel("Phone number").fill("+44 20 7946 0958");
    await portal.getByRole("checkbox").check();
    await portal.getByRole("button", { name: "Continue" }).click();
  });

  await test.step("2. no plan, a plan, an account, the card page, the organisation", async () => {
    await portal.waitForURL(/\/no-plan$/);
    await expect(portal.getByText("No active plan detected")).toBeVisible();
    await accessible(portal);
    const plans = portal.getByRole("link", { name: "View Plans" });
    const target = await plans.getAttribute("href");
    await portal.goto(target!);
    await accessible(portal);
    await portal.getByRole("link", { name: "Choose Essentials Monthly" }).click();
    await portal.waitForURL(/\/account-type$/);
    await accessible(portal);
    await portal.getByText("business", { exact: false }).first().click();
    const go = portal.getByRole("button", { name: "Continue" });
    if (await go.isVisible()) await go.click();
    await portal.waitForURL(/\/create-billing-account\?type=business/);
    await accessible(portal);
    await portal.getByLabel("Nick name").fill("Northwind Media");
    await portal.getByLabel("Payee name").fill("Northwind Ltd");
    await portal.getByLabel("Payee email").fill(owner);
    await portal.getByLabel("Phone").fill("+44 20 7946 0958");
    await portal.getByRole("button", { name: "Continue" }).click();
    await portal.waitForURL(/\/sandbox\/pay\//);
    await accessible(portal);
    await portal.getByLabel("Card number").fill("4242 4242 4242 4242");
    await portal.getByLabel(/Expiry/).fill("12 / 30");
    await portal.getByLabel(/CVC|Security code/i).fill("123");
    await portal.getByLabel(/Name/).fill("Olivia Northwind");
    await portal.getByRole("button", { name: /^(Pay|Subscribe)/ }).click();
    await portal.waitForURL(/\/org\/[^/]+\/profile$/, { timeout: 30_000 });
  });

  const org = portal.url().match(/\/org\/([^/]+)\//)![1]!;

  await test.step("3. a playlist with a video, its poster and playback", async () => {
    await portal.getByRole("link", { name: "Content", exact: true }).click();
    await portal.waitForURL(new RegExp(`/org/${org}/playlists$`));
    await expect(portal.getByText("This organization does not have any playlist!")).toBeVisible();
    await accessible(portal);
    await portal.getByRole("button", { name: "Create a playlist" }).click();
    const wizard = portal.getByRole("dialog");
    await wizard.getByLabel("Title").fill("Safety basics");
    await wizard.getByRole("button", { name: "Next", exact: true }).click();
    await expect(wizard.getByText("Confirm details").first()).toBeVisible();
    await wizard.getByRole("button", { name: "Finish" }).click();
    await expect(wizard.getByText("Playlist added!")).toBeVisible();
    await wizard.getByRole("button", { name: "Skip for now" }).click();
    await portal.getByRole("link", { name: /Safety basics/ }).first().click();
    await portal.waitForURL(/\/playlists\/[0-9a-f-]+$/);
    await expect(portal.getByText("This playlist has no content.")).toBeVisible();
    await accessible(portal);
    await addVideo(portal);
    await expect(portal.getByText("Hello, film").first()).toBeVisible();
    await accessible(portal);
    await previews(portal);
  });

  const link = await test.step("4. public, and a joining link", async () => {
    await portal.goto(`${server.url}/org/${org}/profile`);
    await portal.getByRole("combobox", { name: "Privacy" }).or(portal.getByRole("textbox", { name: "Privacy" })).first().click();
    await portal.getByRole("option", { name: "Public", exact: true }).click();
    await portal.getByRole("button", { name: "Save" }).click();
    await expect(portal.getByText("Saved", { exact: true })).toBeVisible();
    await portal.getByRole("button", { name: "Generate joining link" }).click();
    await expect(portal.getByText("Join Url generated successfully!")).toBeVisible();
    await portal.getByRole("button", { name: /^Copy/ }).click();
    await expect(portal.getByText("Public join URL copied successfully!")).toBeVisible();
    await accessible(portal);
    return portal.evaluate(() => navigator.clipboard.readText());
  });

  const app = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  const appIsQuiet = complaints(app);

  await test.step("5. another person joins, consents and watches for 65 s", async () => {
    await app.goto(link);
    await accessible(app);
    await app.getByRole("button", { name: "Join" }).or(app.getByRole("link", { name: "Join" })).first().click();
    await app.getByLabel("Email").fill(viewer);
    await app.getByRole("button", { name: "Send magic link" }).click();
    await expect(app.getByRole("heading", { name: "Check your email" })).toBeVisible();
    const [signIn] = await server.mailLinks(viewer);
    await app.goto(signIn!);
    await app.getByLabel("First name").fill("Victor");
    await app.getByLabel("Last name").fill("Fan");
    await accessible(app);
    await app.getByRole("button", { name: "Add phone and company" }).click();
    await app.getByLabel("Phone number").fill("+47 22 12 34 56");
    await accessible(app);
    await app.getByRole("button", { name: "Continue" }).click();
    await accessible(app);
    await app.getByRole("button", { name: "Yes, I agree" }).click();
    await app.getByRole("link", { name: /Safety basics/ }).first().click();
    await watch(app, 65);
    await accessible(app);
  });

  await test.step("6. the portal shows the view, the minutes, the person and the lead", async () => {
    await portal.goto(`${server.url}/org/${org}/home`);
    const views = portal.getByText("Content views", { exact: true }).locator("..");
    await expect(async () => {
      await portal.reload();
      await expect(views.first()).toContainText("1", { timeout: 10_000 });
    }).toPass({ timeout: 90_000 });
    const watched = portal.getByText("Watch time", { exact: true }).locator("..");
    await expect(watched.first()).toContainText(/1\s*min/);
    await accessible(portal);

    await portal.getByRole("link", { name: "Users", exact: true }).click();
    // Home names the person too.
    await expect(portal.getByLabel("Search users")).toBeVisible();
    await expect(portal.getByText("Victor Fan")).toBeVisible();
    await expect(portal.getByText(/Consent given/).first()).toBeVisible();
    await accessible(portal);

    await portal.getByRole("link", { name: "Leads", exact: true }).click();
    const row = portal.getByRole("row", { name: /Victor Fan/ });
    await expect(row).toBeVisible();
    await expect(row).toContainText(viewer);
    await expect(row).toContainText(/cold|warm|hot/i);
    await expect(row).toContainText("Norway");
    await accessible(portal);

    const series = portal.waitForResponse((answer) => answer.url().includes("/v1/analytics/watch_time"));
    await portal.getByRole("link", { name: "Analytics", exact: true }).click();
    const body = (await (await series).json()) as { total: number; data: { value: number }[] };
    expect(body.total).toBeGreaterThanOrEqual(55_000);
    expect(body.total).toBeLessThanOrEqual(80_000);
    expect(body.data.reduce((sum, { value }) => sum + value, 0)).toBe(body.total);
    await accessible(portal);
  });

  portalIsQuiet();
  appIsQuiet();
});

/** Adds a real file through the four steps of the wizard. */
async function addVideo(portal: Page): Promise<void> {
  await portal.getByRole("button", { name: /^Add/ }).first().click();
  await portal.getByRole("menuitem", { name: "Add file" }).click();
  const wizard = portal.getByRole("dialog");
  await wizard.locator('input[type="file"]').setInputFiles(video);
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await wizard.getByLabel("Title").fill("Hello, film");
  await wizard.getByRole("button", { name: "Next", exact: true }).click();
  await expect(wizard.getByText("4.09 MB")).toBeVisible();
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(wizard.getByText("Upload successful!")).toBeVisible({ timeout: 60_000 });
  await wizard.getByRole("button", { name: "Done" }).last().click();
}

/** Checks that the video in the preview advances. */
async function previews(portal: Page): Promise<void> {
  await portal.getByText("Hello, film").first().click();
  await plays(portal, "video");
  await portal.locator("video").first().evaluate((element: HTMLVideoElement) => element.pause());
}

/** Plays the playlist repeatedly until `seconds` were watched. */
async function watch(app: Page, seconds: number): Promise<void> {
  const video = app.locator("video").first();
  await video.waitFor();
  const shown = await video.evaluate(async (element: HTMLVideoElement, wanted: number) => {
    element.muted = true;
    let played = 0;
    let last = 0;
    element.addEventListener("timeupdate", () => {
      if (element.currentTime > last) played += element.currentTime - last;
      last = element.currentTime;
    });
    element.addEventListener("ended", () => {
      last = 0;
      if (played < wanted) void element.play();
    });
    await element.play();
    while (played < wanted) await new Promise((done) => setTimeout(done, 250));
    element.pause();
    return played;
  }, seconds);
  expect(shown).toBeGreaterThanOrEqual(seconds);
  // The tracker sends pending beats when the page unloads.
  await app.goto("about:blank");
  await app.goBack();
}
