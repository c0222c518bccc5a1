// Takes screenshots of rarer states of the viewer app at four widths, in light and dark, and in German.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { audio, documentFile, imageFile } from "./support/files.ts";
import { Caller, join, type Person, seed, send, signIn } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { fail, open } from "./support/shots.ts";
import { newerVersion } from "./support/viewer.ts";

const folder = resolve(import.meta.dirname, process.env["PICTURES"] ?? "test-results/pictures");
const viewports = {
  small: { width: 360, height: 740 },
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  wide: { width: 1440, height: 900 },
};
const devices = [
  ...Object.keys(viewports).flatMap((size) =>
    (["light", "dark"] as const).map((colorScheme) => ({ size, colorScheme, locale: "en-GB" })),
  ),
  { size: "small", colorScheme: "light" as const, locale: "de-DE" },
  { size: "wide", colorScheme: "light" as const, locale: "de-DE" },
];
type Device = (typeof devices)[number];

interface Demo {
  browser: Browser;
  server: Server;
  /** The app of the organisation. */
  app: string;
  joinUrl: string;
  /** The addresses of an item of each kind. */
  items: Record<"video" | "pdf" | "image", string>;
  emptyPlaylist: string;
  member: Person;
  /** Has joined nothing. */
  stranger: Person;
}

interface Shots extends Demo {
  page: Page;
  name: string;
  take: (name: string) => Promise<void>;
}

const theme = { primaryColor: "#0b3d5c", secondaryColor: "#f2a65a", brandTextColor: "#ffffff" };

/** Makes an organisation with what the pictures need: an item of each kind in one playlist, and an empty one. */
async function prepare(browser: Browser, server: Server): Promise<Demo> {
  const seeded = await seed(server, 1);
  const { org, joinUrl, playlists } = seeded;
  const api = new Caller(server, seeded.owner.token);
  const contact = { email: "hello@northwind.example", phoneNumber: "+44 20 7946 0958" };
  await api.call("PATCH", `/v1/organizations/${org}`, { organisation: { theme, contact } });
  const upload = async (path: string, name: string, type: string, title: string) =>
    send(api, org, { bytes: await readFile(path), name, type, title });
  const pdf = await upload(await documentFile(12), "figures.pdf", "application/pdf", "The year in figures");
  const image = await upload(await imageFile(), "harbour.png", "image/png", "The harbour at dawn, seen from the north pier");
  const sound = await upload(audio, "sound.mp3", "audio/mpeg", "Interview: what the tide tells us");
  const items = { video: seeded.items[0]!, pdf, image };
  const isProcessed = async (uid: string) => (await api.call<{ processing: string }>("GET", `/v1/content/${uid}`)).processing;
  for (const uid of [items.video, pdf, image, sound]) {
    await expect.poll(() => isProcessed(uid), { timeout: 120_000 }).toBe("done");
  }
  const add = (title: string, description: string, ids: string[]) =>
    api.call<{ uid: string }>("POST", "/v1/playlists", { playlist: { title, description, privacy: "public", items: ids }, orgId: org });
  const all = [items.video, pdf, image, sound, ...seeded.items.slice(1)];
  const mixed = await add("Everything about the harbour", "What everybody on the pier has to know, in the order in which it comes up.", all);
  const empty = await add("Coming soon", "", []);
  await api.call("PATCH", `/v1/organizations/${org}`, { organisation: { pinnedPlaylists: [mixed.uid, ...playlists.slice(0, 2)] } });
  const member = await join(server, seeded, "grace.holloway@pictures.example", "Grace Holloway");
  const app = `${server.url}/app/org/${org}`;
  const at = (item: string) => `${app}/playlists/${mixed.uid}?item=${item}`;
  return {
    browser,
    server,
    app,
    joinUrl,
    items: { video: at(items.video), pdf: at(pdf), image: at(image) },
    emptyPlaylist: `${app}/playlists/${empty.uid}`,
    member,
    stranger: await signIn(server, "stranger@pictures.example", "Sam Stranger"),
  };
}

const nameOf = ({ size, colorScheme, locale }: Device) => `${size}-${locale === "de-DE" ? "german" : colorScheme}`;

async function shotsOf(demo: Demo, device: Device, person: Person | null): Promise<Shots> {
  const { size, colorScheme, locale } = device;
  const viewport = viewports[size as keyof typeof viewports];
  const context = await demo.browser.newContext({ viewport, colorScheme, locale, reducedMotion: "reduce", serviceWorkers: "allow" });
  if (person !== null) {
    await context.addInitScript((accessToken) => {
      localStorage.setItem("vitrine.viewer.session", JSON.stringify({ accessToken }));
    }, person.token);
  }
  const page = await context.newPage();
  const name = nameOf(device);
  const take = async (state: string): Promise<void> => {
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${folder}/${name}-viewer-${state}.png` });
  };
  return { ...demo, page, name, take };
}

/** Links that lead nowhere, and the steps of the sign-in. */
async function signedOut({ page, server, joinUrl, name, take }: Shots): Promise<void> {
  const { url } = server;
  await open(page, `${url}/app/join/no-such-code`);
  await take("dead-join-link");
  await open(page, `${url}/app/authenticate?code=used-up`);
  await take("link-without-email");
  await page.getByRole("textbox").fill(`${name}-link@pictures.example`);
  await page.keyboard.press("Enter");
  await page.getByRole("alert").first().waitFor();
  await take("used-up-link");
  await open(page, joinUrl);
  await take("join");
  await open(page, `${url}/app/sign-in?joinCode=${joinUrl.split("/").at(-1)}`);
  await take("sign-in");
  await page.getByRole("textbox").first().fill("not an address");
  await page.keyboard.press("Enter");
  await take("sign-in-refused");
  await page.getByRole("textbox").first().fill(`${name}@pictures.example`);
  await page.keyboard.press("Enter");
  await page.locator('[autocomplete="one-time-code"]').waitFor();
  await take("code");
  await page.locator('[autocomplete="one-time-code"]').fill("000000");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").first().waitFor();
  await take("code-wrong");
}

/** A person who is about to join. */
async function joining({ page, server, joinUrl, take }: Shots): Promise<void> {
  await open(page, `${joinUrl}/consent`);
  await take("consent");
  await open(page, `${server.url}/app/details`);
  await take("details");
  await open(page, `${server.url}/app/`);
  await take("joined-nothing");
  await open(page, `${server.url}/app/no/such/page`);
  await take("no-such-page");
}

/** Items, and what lies over them. */
async function watching({ page, app, items, emptyPlaylist, take }: Shots): Promise<void> {
  await open(page, items.pdf);
  await page.locator("[data-pdf-tools], canvas").first().waitFor();
  await take("pdf");
  await page.locator("button:has-text('Find'), [aria-label='Find in the document'], [aria-label='Im Dokument suchen']").first().click();
  await page.keyboard.type("page");
  await page.waitForTimeout(1500);
  await take("pdf-search");
  await open(page, items.image);
  await take("image");
  await page.locator("[aria-label='Zoom in'], [aria-label='Vergrößern']").first().click();
  await take("image-zoomed");
  await open(page, items.video);
  await take("video");
  await page.getByRole("button", { name: /^(Share|Teilen)/ }).first().click();
  await page.getByRole("dialog").waitFor();
  await take("share");
  await page.keyboard.press("Escape");
  await page.waitForTimeout(300);
  await open(page, emptyPlaylist);
  await take("empty-playlist");
  await open(page, `${app}/search?q=zyzzyva`);
  await take("search-nothing");
  await open(page, `${app}/search?q=market`);
  await take("search-found");
}

/** A document that cannot be loaded. */
async function broken({ page, items, take }: Shots): Promise<void> {
  await page.route("**/media/**", (route) => route.abort());
  await open(page, items.pdf);
  await page.getByRole("button", { name: /^(Retry|Erneut versuchen)$/ }).waitFor();
  await take("pdf-failed");
  await page.unrouteAll();
}

/** A newer version of the app waits. */
async function updating({ page, app, items, take }: Shots): Promise<void> {
  await open(page, app);
  await newerVersion(page);
  await take("update");
  await open(page, items.video);
  await page.getByRole("button", { name: /^(Update|Aktualisieren)$/ }).waitFor();
  await take("update-watching");
}

/** Playing on beside another screen. */
async function playingOn({ page, items, take }: Shots): Promise<void> {
  await open(page, items.video);
  await page.locator("video").evaluate((video: HTMLVideoElement) => {
    video.loop = true;
    return video.play();
  });
  await page.getByRole("link", { name: /^(Me|Ich)$/ }).click();
  await page.getByRole("region", { name: /Mini/ }).waitFor();
  await page.waitForLoadState("networkidle");
  await take("mini-player");
}

/** Me and its dialogs. */
async function me({ page, app, take }: Shots): Promise<void> {
  await open(page, `${app}/me`);
  await page.evaluate(() => {
    const offer = Object.assign(new Event("beforeinstallprompt"), { prompt: () => Promise.resolve() });
    window.dispatchEvent(offer);
  });
  await take("me-install");
  await page.getByText(/^(Notice and your answers|Hinweis und deine Antworten)$/).click();
  await take("me-notice");
  for (const [state, button] of [
    ["leave", /^(Leave organization|Organisation verlassen)$/],
    ["erase", /^(Erase my account|Mein Konto löschen)$/],
  ] as const) {
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("dialog").waitFor();
    await take(state);
    await page.keyboard.press("Escape");
    // The dialog's entry of the history goes with it.
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.waitForTimeout(300);
  }
}

/** Without a connection. */
async function offline({ page, app, items, take }: Shots): Promise<void> {
  await open(page, app);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.reload();
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await page.goto(app);
  await page.getByRole("main").waitFor();
  await take("offline-home");
  await page.goto(items.pdf);
  await take("offline-playlist");
  await page.goto(`${app}/search?q=x`);
  await page.getByRole("alert").waitFor();
  await take("offline-search");
  await page.context().setOffline(false);
}

/** An organisation whose plan is suspended, and a request that fails. */
async function paused({ page, app, take }: Shots): Promise<void> {
  await page.route("**/v1/viewer/organizations", async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: object[] };
    await route.fulfill({ json: { data: data.map((one) => ({ ...one, suspended: true })) } });
  });
  await open(page, app);
  await take("paused");
  await page.unrouteAll();
  await fail(page, "**/v1/playlists?**");
  await open(page, app);
  await take("failed");
}

for (const device of devices) {
  test(`pictures of the viewer app's rarer states: ${nameOf(device)}`, async ({ browser }) => {
    test.setTimeout(900_000);
    const server = await Server.start();
    try {
      const demo = await prepare(browser, server);
      for (const [person, parts] of [
        [null, [signedOut]],
        [demo.stranger, [joining]],
        [demo.member, [watching, playingOn, me, offline]],
        [demo.member, [paused, broken]],
        [demo.member, [updating]],
      ] as const) {
        const shots = await shotsOf(demo, device, person);
        for (const part of parts) await part(shots);
        await shots.page.context().close();
      }
    } finally {
      await server.stop();
    }
  });
}
