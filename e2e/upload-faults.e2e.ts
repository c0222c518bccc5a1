// Uploads when something goes wrong: too many at once, a lost response, another person at the same browser.
import type { Page } from "@playwright/test";
import { testApp, itemsOf, line, openFiles, panelOf, playlistOf, sent, upToUpload } from "./support/content.ts";
import { fileOf, largeFile } from "./support/files.ts";
import { tabOf } from "./support/portal.ts";
import { Caller, signIn } from "./support/seed.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

const MIB = 1024 * 1024;
// The default rate limits apply.
const here = testApp({ VITRINE_API_REQUESTS_PER_10S: undefined });

/** The calls uploads make, as method and path without ids. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname.replace(/[0-9a-f-]{36}/g, "{id}").replace(/ingest\/.+/, "ingest");
    if (path.startsWith("/v1/")) calls.push(`${request.method()} ${path}`);
  });
  return calls;
}

const count = (calls: string[], wanted: string) => calls.filter((call) => call === wanted).length;

test("sixty small files arrive without Retry, in at most three calls per file", async ({ browser }) => {
  const playlist = await playlistOf(here, "Sixty files");
  const page = await tabOf(browser, here.seeded.owner);
  const quiet = complaints(page);
  const names = Array.from({ length: 60 }, (_, index) => `note-${index}`);
  const files = await Promise.all(names.map((name) => fileOf(`${name}.txt`, `${name}\n`.repeat(2000))));
  await page.goto(here.at(`/${playlist}`));
  const wizard = await openFiles(page);
  await wizard.locator('input[type="file"]').setInputFiles(files);
  const calls = callsOf(page);
  await wizard.getByRole("button", { name: "Upload 60 files" }).click();
  const panel = panelOf(page);
  // Nothing is pressed: a failed upload would stay failed.
  await expect(panel.getByText("Uploads: 60 of 60 done")).toBeVisible({ timeout: 120_000 });
  // How often the lists are read meanwhile depends on how long it takes.
  const ofFiles = calls.filter((call) => !call.startsWith("GET ") || call.startsWith("GET /v1/uploads/"));
  expect(ofFiles.length).toBeLessThanOrEqual(180);
  expect([count(calls, "POST /v1/content"), count(calls, "PUT /v1/ingest")]).toEqual([60, 60]);
  expect(count(calls, "DELETE /v1/content/{id}")).toBe(0);
  const items = await itemsOf(here, playlist);
  expect(items.map(({ title }) => title.replace(" ", "-").toLowerCase()).sort()).toEqual([...names].sort());
  await expect(page.getByText("60 items")).toBeVisible();
  quiet();
});

test("a lost response has no effect: the file is stored once and shown as uploaded", async ({ browser }) => {
  const playlist = await playlistOf(here, "A lost answer");
  const page = await tabOf(browser, here.seeded.owner);
  const calls = callsOf(page);
  await page.goto(here.at(`/${playlist}`));
  const wizard = await openFiles(page);
  await upToUpload(wizard, await largeFile("plan.bin", 2 * MIB), "The plan");
  here.wire.loseAnswerTo("PUT /v1/ingest/");
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(wizard.getByText("Upload successful!")).toBeVisible({ timeout: 60_000 });
  expect(here.wire.hasLost).toBe(true);
  await expect(page.getByText("Problem creating content. Please try again.")).toBeHidden();
  expect(count(calls, "POST /v1/content")).toBe(1);
  expect(count(calls, "DELETE /v1/content/{id}")).toBe(0);
  expect((await itemsOf(here, playlist)).map(({ title }) => title)).toEqual(["The plan"]);
});

test("a busy server is waited for with a countdown, and the upload continues", async ({ browser }) => {
  const playlist = await playlistOf(here, "A busy server");
  const page = await tabOf(browser, here.seeded.owner);
  const calls = callsOf(page);
  // The server's response while all upload slots are taken.
  await page.route("**/v1/ingest/**", (route) => route.fulfill({ status: 429, headers: { "Retry-After": "6" }, json: {} }), {
    times: 1,
  });
  await page.goto(here.at(`/${playlist}`));
  const wizard = await openFiles(page);
  await upToUpload(wizard, await largeFile("busy.bin", MIB), "Patience");
  await wizard.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(wizard.getByText("Waiting to continue")).toBeVisible();
  await expect(wizard.getByText(/continues in \d s/)).toBeVisible();
  await accessible(page);
  await expect(wizard.getByText("Upload successful!")).toBeVisible();
  expect(count(calls, "POST /v1/content")).toBe(1);
  expect((await itemsOf(here, playlist)).map(({ title }) => title)).toEqual(["Patience"]);
});

test("another person at the same browser does not see the uploads, and none continues as them", async ({ browser }) => {
  const playlist = await playlistOf(here, "Two people");
  const bea = await signIn(here.server, "bea@two.example", "Bea Stone");
  const page = await tabOf(browser, here.seeded.owner);
  const tokens: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === "/v1/content") {
      tokens.push(request.headers()["authorization"] ?? "");
    }
  });
  const cdp = await page.context().newCDPSession(page);
  await page.goto(here.at(`/${playlist}`));
  const wizard = await openFiles(page);
  const files = await Promise.all(["secret-1", "secret-2", "secret-3"].map((name) => largeFile(`${name}.bin`, 2 * MIB)));
  await wizard.locator('input[type="file"]').setInputFiles(files);
  // None of the first two arrives until the other person has signed in.
  await line(cdp, MIB / 16);
  await wizard.getByRole("button", { name: "Upload 3 files" }).click();
  const panel = panelOf(page);
  await expect(panel.getByRole("progressbar")).toHaveCount(2);
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await page.waitForURL(/\/home$/);
  await expect.poll(() => tokens.length).toBe(2);

  const other = await page.context().newPage();
  await other.goto(`${here.server.url}/login`);
  const signInAs = (token: string) =>
    other.evaluate((accessToken) => localStorage.setItem("vitrine.session", JSON.stringify({ accessToken })), token);
  await signInAs(bea.token);
  await expect(panel).toBeHidden();
  await line(cdp, "full");
  await expect(page.getByText(/secret-/)).toHaveCount(0);
  // A queued upload would start within this time.
  await page.waitForTimeout(2000);
  expect(tokens).toEqual([`Bearer ${here.seeded.owner.token}`, `Bearer ${here.seeded.owner.token}`]);
  expect(await itemsOf(here, playlist)).toEqual([]);

  await signInAs(here.seeded.owner.token);
  await page.goto(here.at(`/${playlist}`));
  await expect(panel.getByText("secret-3.bin")).toBeVisible();
});

test("a replacement that is cancelled ends on the server at once", async ({ browser }) => {
  const playlist = await playlistOf(here, "A new version");
  const content = await sent(here, await largeFile("first.bin", MIB), "The book", "application/octet-stream");
  await here.api.call("PATCH", `/v1/playlists/${playlist}`, { playlist: { items: [content] } });
  const page = await tabOf(browser, here.seeded.owner);
  const cdp = await page.context().newCDPSession(page);
  const api = new Caller(here.server, here.seeded.owner.token);
  await page.goto(here.at(`/${playlist}`));
  for (const size of [2 * MIB, 72 * MIB]) {
    await page.getByRole("button", { name: "Edit The book" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit content" });
    await line(cdp, size / 60);
    const announced = page.waitForResponse(
      (answer) => answer.request().method() === "POST" && answer.url().endsWith(`/v1/content/${content}`),
    );
    await dialog.getByLabel("New version of the file").setInputFiles(await largeFile("second.bin", size));
    const { uid } = (await (await announced).json()) as { uid: string };
    await expect(dialog.getByText(/second\.bin: Uploading · [1-9]/)).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).or(dialog.locator(".mantine-Modal-close")).first().click();
    await panelOf(page).getByRole("button", { name: "Cancel second.bin" }).click();
    await expect(panelOf(page)).toBeHidden();
    await line(cdp, "full");
    const state = () => api.call<{ status: string; reason: string }>("GET", `/v1/uploads/${uid}`);
    await expect.poll(async () => (await state()).status).toBe("rejected");
    expect((await state()).reason).toBe("cancelled");
  }
  expect((await itemsOf(here, playlist)).map(({ title }) => title)).toEqual(["The book"]);
});
