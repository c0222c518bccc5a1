// The viewer app on a phone: resuming on a second device, the next item, search, and the lock screen.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { calmVideo, wideVideo } from "./support/files.ts";
import { Caller, join, seed, send } from "./support/seed.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";
import { opened, phone, seconds } from "./support/viewer.ts";

const tablet = { viewport: { width: 768, height: 1024 }, hasTouch: true };

test("what was begun on the phone continues on the tablet", async ({ browser, server }) => {
  const seeded = await seed(server, 1);
  const api = new Caller(server, seeded.owner.token);
  const bytes = await readFile(await calmVideo(320));
  const talk = await send(api, seeded.org, { bytes, name: "talk.mp4", type: "video/mp4", title: "The long talk" });
  const [playlist = "", second = ""] = seeded.playlists;
  const description = "Chapters:\n0:00 Welcome\n2:00 The middle";
  await api.call("PATCH", `/v1/content/${talk}`, { content: { description } });
  const contact = { email: "desk@northwind.example.com", phoneNumber: "+47 22 12 34 56" };
  await api.call("PATCH", `/v1/playlists/${playlist}`, {
    playlist: { items: [talk, ...seeded.items.slice(0, 2)], contact },
  });
  const ada = await join(server, seeded, "ada@fans.example.com", "Ada Byron");
  const app = `${server.url}/app/org/${seeded.org}`;
  await expect
    .poll(async () => (await api.call<{ processing: string }>("GET", `/v1/content/${talk}`)).processing, { timeout: 120_000 })
    .toBe("done");

  const first = await opened(browser, phone, ada.token);
  const quiet = complaints(first);
  await test.step("home has the first pin across the top, and the navigation at the bottom", async () => {
    await first.goto(app);
    await expect(first.getByRole("link", { name: /Market briefings/ })).toBeVisible();
    await fitsPhone(first);
    await accessible(first);
    await first.screenshot({ path: "test-results/watch-home.png" });
  });

  await test.step("the position is saved when playback stops", async () => {
    await first.getByRole("link", { name: /Market briefings/ }).tap();
    await expect(first.getByRole("heading", { name: "The long talk" })).toBeVisible();
    await accessible(first);
    await first.screenshot({ path: "test-results/watch-before.png" });
    const middle = async (part: string) => {
      const box = await first.locator(part).first().boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0) / 2;
    };
    expect(Math.abs((await middle("video")) - (await middle("media-play-button")))).toBeLessThan(2);
    // The video stays in view while the list scrolls.
    await first.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    expect(await first.evaluate(() => window.scrollY)).toBeGreaterThan(150);
    await expect(first.locator("video").first()).toBeInViewport({ ratio: 0.95 });
    await first.evaluate(() => window.scrollTo(0, 0));
    await first.locator("media-play-button").first().tap();
    await expect.poll(() => seconds(first)).toBeGreaterThan(0.5);
    await first.screenshot({ path: "test-results/watch-playing.png" });
    expect(await first.evaluate(() => navigator.mediaSession.metadata?.title)).toBe("The long talk");
    const saved = first.waitForResponse((answer) => answer.url().endsWith("/progress") && answer.request().method() === "PUT");
    await first.getByRole("button", { name: /The middle/ }).tap();
    await expect.poll(() => seconds(first)).toBeGreaterThanOrEqual(120);
    expect((await saved).status()).toBe(204);
    // The place of the jump is saved: pausing saves another only after some playback.
    await expect.poll(() => seconds(first)).toBeGreaterThan(120.2);
    const paused = first.waitForResponse((answer) => answer.url().endsWith("/progress") && answer.request().method() === "PUT");
    await first.locator("video").evaluate((element: HTMLVideoElement) => element.pause());
    await paused;
  });

  await test.step("what plays continues in a mini player while browsing, and on its page again", async () => {
    await first.locator("media-play-button").first().tap();
    const navigation = first.getByRole("navigation", { name: "Main" });
    await navigation.getByRole("link", { name: "Home" }).tap();
    const mini = first.getByRole("region", { name: "Mini player" });
    await expect(mini).toBeVisible();
    await expect(first.getByRole("region", { name: "All playlists" })).toBeVisible();
    const before = await seconds(first);
    await expect.poll(() => seconds(first)).toBeGreaterThan(before + 1);
    await accessible(first);
    await fitsPhone(first);
    await first.screenshot({ path: "test-results/watch-mini.png" });
    await mini.getByRole("button", { name: "Pause The long talk" }).tap();
    await expect.poll(() => first.locator("video").evaluate((element: HTMLVideoElement) => element.paused)).toBe(true);
    const stopped = await seconds(first);
    await mini.getByRole("link", { name: "Back to The long talk" }).tap();
    await expect(first.getByRole("heading", { name: "The long talk" })).toBeVisible();
    await expect(mini).toBeHidden();
    expect(await seconds(first)).toBe(stopped);
    await first.locator("media-play-button").first().tap();
    await expect.poll(() => seconds(first)).toBeGreaterThan(stopped);
    await first.locator("video").evaluate((element: HTMLVideoElement) => element.pause());
  });

  const other = await opened(browser, tablet, ada.token);
  await test.step("the tablet resumes there, or starts over", async () => {
    await other.goto(app);
    const begun = other.getByRole("region", { name: "Continue watching" });
    await expect(begun.getByRole("link", { name: /The long talk/ })).toContainText(/[34]\d % watched/);
    await accessible(other);
    await other.screenshot({ path: "test-results/watch-continue.png" });
    await begun.getByRole("link", { name: /The long talk/ }).click();
    await expect(other.getByText(/^Resumed at 2:\d\d/)).toBeVisible();
    await expect.poll(() => seconds(other)).toBeGreaterThanOrEqual(120);
    await other.screenshot({ path: "test-results/watch-resumed.png" });
    await other.getByRole("button", { name: "Start over" }).click();
    // Another player starts: it has a position only once it plays.
    await expect.poll(() => seconds(other)).toBeLessThan(60);
    await expect.poll(() => seconds(other)).toBeGreaterThan(0);
  });

  await test.step("a lost connection stops it only until there is one again", async () => {
    await other.context().setOffline(true);
    await other.locator("video").evaluate((element: HTMLVideoElement) => {
      element.currentTime = 250;
    });
    const failure = other.getByRole("alert").filter({ hasText: "This could not be played." });
    await expect(failure).toBeVisible();
    await other.context().setOffline(false);
    await expect(failure).toBeHidden();
    await expect.poll(() => seconds(other)).toBeGreaterThan(0);
    const before = await seconds(other);
    await expect.poll(() => seconds(other)).toBeGreaterThan(before + 1);
  });

  await test.step("the next item starts after a countdown, which can be cancelled", async () => {
    await toEnd(other);
    // Pressed within a frame: on a slow machine the five seconds may be over before a second look.
    await other.waitForFunction(() => {
      const buttons = [...document.querySelectorAll("button")];
      const cancel = buttons.find(({ textContent }) => textContent === "Cancel");
      cancel?.click();
      return cancel !== undefined;
    });
    await expect(other.getByText(/^Next: /)).toBeHidden();
    await toEnd(other);
    await expect(other.getByRole("heading", { name: "The long talk" })).toBeHidden();
  });

  await test.step("Back closes the sheet for sharing, and the player stays", async () => {
    await first.locator("video").evaluate((element) => element.setAttribute("data-same", ""));
    const address = first.url();
    await first.getByRole("button", { name: "Share" }).tap();
    await expect(first.getByRole("dialog")).toBeVisible();
    await first.goBack();
    await expect(first.getByRole("dialog")).toBeHidden();
    expect(first.url()).toBe(address);
    await expect(first.locator("video[data-same]")).toBeVisible();
  });

  await test.step("contact, search, and another playlist", async () => {
    await first.getByRole("button", { name: /^Contact / }).tap();
    await expect(first.getByRole("link", { name: /Call/ })).toHaveAttribute("href", "tel:+4722123456");
    await first.screenshot({ path: "test-results/watch-contact.png", fullPage: true });
    await first.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Search" }).tap();
    await first.getByRole("searchbox").fill("TALK");
    await expect(first.getByRole("link", { name: /The long talk/ })).toBeVisible();
    await accessible(first);
    await first.screenshot({ path: "test-results/watch-search.png" });
    await first.goto(`${app}/playlists/${second}`);
    await expect(first.getByRole("heading", { name: "Getting started" })).toBeVisible();
    await first.goto(app);
    await expect(first.getByRole("region", { name: "All playlists" })).toBeVisible();
    await first.emulateMedia({ colorScheme: "dark" });
    await first.screenshot({ path: "test-results/watch-home-dark.png", fullPage: true });
    await other.setViewportSize({ width: 1440, height: 900 });
    await other.goto(app);
    await expect(other.getByRole("region", { name: "All playlists" })).toBeVisible();
    await other.screenshot({ path: "test-results/watch-home-wide.png" });
  });
  quiet();
});

test("captions and quality are chosen in the player", async ({ browser, server }) => {
  const seeded = await seed(server, 0);
  const api = new Caller(server, seeded.owner.token);
  const bytes = await readFile(await wideVideo());
  const talk = await send(api, seeded.org, { bytes, name: "walk.mp4", type: "video/mp4", title: "The walk" });
  for (const [language, label, text] of [
    ["en", "English", "We begin."],
    ["de", "Deutsch", "Wir beginnen."],
  ]) {
    const answer = await fetch(`${server.url}/v1/content/${talk}/captions/${language}?label=${label}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${seeded.owner.token}`, "content-type": "text/vtt" },
      body: `WEBVTT\n\n00:00.000 --> 00:04.000\n${text}\n`,
    });
    expect(answer.ok).toBe(true);
  }
  const playlist = { title: "Walks", privacy: "public", items: [talk] };
  const { uid } = await api.call<{ uid: string }>("POST", "/v1/playlists", { playlist, orgId: seeded.org });
  await expect
    .poll(async () => (await api.call<{ processing: string }>("GET", `/v1/content/${talk}`)).processing, { timeout: 120_000 })
    .toBe("done");
  const ada = await join(server, seeded, "ada.captions@fans.example.com", "Ada Byron");
  const page = await opened(browser, { viewport: { width: 1440, height: 900 } }, ada.token);
  const quiet = complaints(page);
  await page.goto(`${server.url}/app/org/${seeded.org}/playlists/${uid}`);
  const video = page.locator("video").first();
  const height = () => video.evaluate((element: HTMLVideoElement) => element.videoHeight);
  const quality = page.getByLabel("Quality");
  await page.locator("media-play-button").first().click();
  for (const chosen of [360, 720]) {
    await quality.selectOption({ label: `${chosen}p` });
    // While the source changes there is none to play.
    const played = () => video.evaluate((element: HTMLVideoElement) => void element.play().catch(() => undefined));
    await expect.poll(async () => played().then(height)).toBe(chosen);
  }
  await video.evaluate((element: HTMLVideoElement) => {
    element.pause();
    element.currentTime = 0.5;
  });
  const shown = () =>
    video.evaluate((element: HTMLVideoElement) =>
      [...element.textTracks]
        .filter((track) => track.mode === "showing")
        .flatMap((track) => [...(track.activeCues ?? [])].map((cue) => (cue as VTTCue).text)),
    );
  for (const [label, text] of [
    ["Deutsch", "Wir beginnen."],
    ["English", "We begin."],
  ] as const) {
    await page.locator("media-captions-menu-button").click();
    await page.getByRole("menuitemradio", { name: label }).click();
    await expect.poll(shown).toEqual([text]);
  }
  quiet();
  await page.context().close();

  for (const width of [360, 390, 768]) {
    const device = { viewport: { width, height: 780 }, hasTouch: true, isMobile: true };
    const touched = await opened(browser, device, ada.token);
    await touched.goto(`${server.url}/app/org/${seeded.org}/playlists/${uid}`);
    await touched.locator("media-play-button").first().tap();
    await expect.poll(() => seconds(touched)).toBeGreaterThan(0);
    await touched.locator("video").evaluate((element: HTMLVideoElement) => element.pause());
    await expect(touched.getByLabel("Quality")).toBeVisible();
    // Offered wherever the browser has it.
    expect(await touched.evaluate(() => document.pictureInPictureEnabled)).toBe(true);
    await expect(touched.locator("media-pip-button")).toBeVisible();
    await expect(touched.locator("media-airplay-button")).toBeHidden();
    expect(await misplacedControls(touched), `controls at ${width} px`).toEqual([]);
    await accessible(touched);
    await touched.screenshot({ path: `test-results/watch-controls-${width}.png` });
    await touched.context().close();
  }
});

/** The player's controls that are smaller than 44 px, not in the player, or not on top where they are touched. */
async function misplacedControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const player = document.querySelector("media-controller")?.getBoundingClientRect() ?? new DOMRect();
    const controls = [...document.querySelectorAll<HTMLElement>("[data-controls] :is(button, select, [role=button], [role=switch], [role=slider])")]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0);
    if (controls.length < 4) return [`only ${controls.length} controls`];
    return controls
      .flatMap(({ element, box: { left, right, top, bottom, width, height } }) => {
        const found = [];
        if (width < 43.5 || height < 43.5) found.push("small");
        if (left < player.left || right > player.right || top < player.top || bottom > player.bottom) found.push("outside");
        const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (!element.contains(on)) found.push(`under ${on?.localName}`);
        return found.map((fault) => `${element.localName} is ${fault}: ${Math.round(width)} by ${Math.round(height)}`);
      });
  });
}

/** Plays the last second. */
async function toEnd(page: Page): Promise<void> {
  // A player that has just started knows no length yet.
  await expect.poll(() => page.locator("video").evaluate((element: HTMLVideoElement) => element.duration)).toBeGreaterThan(1);
  await page.locator("video").evaluate(async (element: HTMLVideoElement) => {
    element.muted = true;
    element.currentTime = element.duration - 1;
    await element.play();
  });
}

async function fitsPhone(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
}
