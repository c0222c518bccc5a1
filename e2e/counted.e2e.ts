// What counts in the viewer app, and under which name: documents, embedded videos, two tabs, staff, and people who refuse
// or withdraw their consent.
import type { Browser, Page } from "@playwright/test";
import { playlistOf, processed, sent, testApp, videoOf } from "./support/content.ts";
import { calmVideo, documentFile } from "./support/files.ts";
import { Caller, join, type Person, signIn } from "./support/seed.ts";
import { complaints, expect, test } from "./support/test.ts";
import { opened, seconds } from "./support/viewer.ts";

const here = testApp();
const desktop = { viewport: { width: 1440, height: 900 } };
/** A view counts after ten seconds. */
const ENOUGH = 12;

interface Numbers {
  views: number;
  uniques: number;
  watchTimeMs: number;
  durationMs: number | null;
  pages: number | null;
  averageShare: number | null;
  retention: { people: number; plays: number }[];
}

const range = (start: string, end: string): string => {
  const times = [Date.now() - 86_400_000, Date.now() + 3_600_000].map((time) => new Date(time).toISOString());
  return `${start}=${times[0]}&${end}=${times[1]}`;
};

const numbersOf = (item: string): Promise<Numbers> =>
  here.api.call("GET", `/v1/analytics/content/${item}?${range("startTime", "endTime")}`);

/** How many views were not counted for a reason. */
async function uncounted(reason: string): Promise<number> {
  const query = `orgId=${here.seeded.org}&${range("startTime", "endTime")}`;
  const { notCounted } = await here.api.call<{ notCounted: { reason: string; views: number }[] }>("GET", `/v1/analytics/verdicts?${query}`);
  return notCounted.find((one) => one.reason === reason)?.views ?? 0;
}

/** Whether a person is among the leads. */
async function isLead(person: Person): Promise<boolean> {
  const { uid } = await new Caller(here.server, person.token).call<{ uid: string }>("GET", "/v1/profiles");
  const answer = await here.api.call<{ data: { userId: string }[] }>("GET", `/v1/analytics/leads?orgId=${here.seeded.org}`);
  return answer.data.some(({ userId }) => userId === uid);
}

/** A video with a length, alone in a playlist. */
async function videoIn(title: string): Promise<{ item: string; playlist: string }> {
  const item = await sent(here, await calmVideo(20), title, "video/mp4");
  await processed(here, item);
  return { item, playlist: await playlistOf(here, title, [item]) };
}

const addressOf = (playlist: string): string => `${here.server.url}/app/org/${here.seeded.org}/playlists/${playlist}`;

async function tab(browser: Browser, person: Person, playlist: string): Promise<Page> {
  const page = await opened(browser, desktop, person.token);
  await page.goto(addressOf(playlist));
  return page;
}

/** Plays the video of a page for long enough, and leaves, so that the last beat is sent. */
async function watch(page: Page): Promise<void> {
  await plays(page);
  await expect.poll(() => seconds(page), { timeout: 30_000 }).toBeGreaterThan(ENOUGH);
  await page.goto("about:blank");
}

async function plays(page: Page): Promise<void> {
  await page.locator("video").first().waitFor();
  await page.locator("video").first().evaluate((element: HTMLVideoElement) => {
    element.muted = true;
    return element.play();
  });
}

test("the pages of a document that were read are covered", async ({ browser }) => {
  const item = await sent(here, await documentFile(4), "The figures", "application/pdf");
  await processed(here, item);
  const grace = await join(here.server, here.seeded, "grace.counted@fans.example.com", "Grace Hopper");
  const page = await tab(browser, grace, await playlistOf(here, "To read", [item]));
  const quiet = complaints(page);
  await expect(page.getByText("This is page 1")).toBeVisible();
  expect(await numbersOf(item)).toMatchObject({ pages: 4, views: 0 });
  await page.waitForTimeout(6_000);
  await page.getByRole("button", { name: "Next page" }).click();
  await expect(page.getByText("Page 2 of 4")).toBeVisible();
  await page.waitForTimeout(7_000);
  quiet();
  await page.goto("about:blank");
  await expect.poll(async () => (await numbersOf(item)).views).toBe(1);
  const read = await numbersOf(item);
  expect(read).toMatchObject({ uniques: 1, averageShare: 0.5 });
  expect(read.retention.map(({ people }) => people)).toEqual([...Array<number>(50).fill(1), ...Array<number>(50).fill(0)]);
});

/** A page that answers in the protocol of the video host's player, and plays for a minute. */
const FRAME = `<!doctype html><title>A player</title><script>
  let begun;
  const tell = (info) => parent.postMessage(JSON.stringify({ event: "infoDelivery", info }), "*");
  addEventListener("message", ({ data }) => {
    if (begun !== undefined || JSON.parse(data).event !== "listening") return;
    begun = performance.now();
    tell({ playerState: 1, currentTime: 0, duration: 60, playbackRate: 1 });
    setInterval(() => tell({ currentTime: (performance.now() - begun) / 1000 }), 250);
  });
</script>`;

test("an embedded video counts with the length that its player tells", async ({ browser }) => {
  const item = await videoOf(here, "From another host");
  const ada = await join(here.server, here.seeded, "ada.counted@fans.example.com", "Ada Byron");
  const page = await opened(browser, desktop, ada.token);
  await page.route(/youtube/, (route) => route.fulfill({ contentType: "text/html", body: FRAME }));
  await page.goto(addressOf(await playlistOf(here, "Elsewhere", [item])));
  await page.getByRole("button", { name: "Play From another host" }).click();
  await page.waitForTimeout((ENOUGH + 4) * 1_000);
  await page.goto("about:blank");
  await expect.poll(async () => (await numbersOf(item)).views).toBe(1);
  const watched = await numbersOf(item);
  expect(watched.durationMs).toBe(60_000);
  expect(watched.averageShare).toBeGreaterThan(0.15);
  expect(watched.averageShare).toBeLessThan(0.5);
});

test("two tabs of one person are one view, and the time of both", async ({ browser }) => {
  const { item, playlist } = await videoIn("Seen twice");
  const before = await uncounted("duplicate");
  const bob = await join(here.server, here.seeded, "bob.counted@fans.example.com", "Bob Noyce");
  const first = await tab(browser, bob, playlist);
  const second = await first.context().newPage();
  await second.goto(addressOf(playlist));
  await plays(first);
  await watch(second);
  // It may have stalled meanwhile, and would be too short.
  await expect.poll(() => seconds(first)).toBeGreaterThan(ENOUGH - 1);
  await first.goto("about:blank");
  await expect.poll(() => uncounted("duplicate")).toBe(before + 1);
  const { views, uniques, watchTimeMs } = await numbersOf(item);
  expect([views, uniques]).toEqual([1, 1]);
  expect(watchTimeMs).toBeGreaterThan(2 * (ENOUGH - 3) * 1_000);
});

test("what staff watch in the app does not count, and the reports say so", async ({ browser }) => {
  const { item, playlist } = await videoIn("Checked by staff");
  const page = await opened(browser, desktop, here.seeded.owner.token);
  const before = await uncounted("staff");
  await page.goto(addressOf(playlist));
  await watch(page);
  await expect.poll(() => uncounted("staff")).toBe(before + 1);
  expect(await numbersOf(item)).toMatchObject({ views: 0, uniques: 0, watchTimeMs: 0 });
});

test("who refuses is counted without a name", async ({ browser }) => {
  const { item } = await videoIn("Without a name");
  const eve = await signIn(here.server, "eve.counted@fans.example.com", "Eve Holt");
  const page = await opened(browser, desktop, eve.token);
  const quiet = complaints(page);
  await page.goto(here.seeded.joinUrl);
  await page.getByRole("button", { name: "Join" }).or(page.getByRole("link", { name: "Join" })).first().click();
  await expect(page.getByRole("heading", { name: "May this organisation see how you use what it shows you?" })).toBeVisible();
  await page.getByRole("button", { name: "No, join without sharing" }).click();
  await page.getByRole("link", { name: /Without a name/ }).first().click();
  quiet();
  await watch(page);
  await expect.poll(async () => (await numbersOf(item)).views).toBe(1);
  expect((await numbersOf(item)).uniques).toBe(1);
  expect(await isLead(eve)).toBe(false);
});

test("who withdraws is no longer named, and what was counted stays", async ({ browser }) => {
  const { item, playlist } = await videoIn("Before and after");
  const ida = await join(here.server, here.seeded, "ida.counted@fans.example.com", "Ida Rhodes");
  const page = await tab(browser, ida, playlist);
  await watch(page);
  await expect.poll(async () => (await numbersOf(item)).views).toBe(1);
  await expect.poll(() => isLead(ida)).toBe(true);

  await page.goto(`${here.server.url}/app/org/${here.seeded.org}/me`);
  await page.getByRole("switch", { name: "Share what I watch" }).click();
  await expect(page.getByText("Consent withdrawn")).toBeVisible();
  expect(await isLead(ida)).toBe(false);
  const before = await numbersOf(item);
  expect([before.views, before.uniques]).toEqual([1, 1]);

  await page.goto(addressOf(playlist));
  await watch(page);
  await expect.poll(async () => (await numbersOf(item)).watchTimeMs).toBeGreaterThan(before.watchTimeMs);
  expect((await numbersOf(item)).views, "the same person within the hour").toBe(1);
  expect(await isLead(ida)).toBe(false);
});
