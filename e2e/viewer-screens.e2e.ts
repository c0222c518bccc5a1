// Every screen of the viewer app at every width: nothing is wider than the screen, axe finds nothing, and what is touched is large.
import type { Page } from "@playwright/test";
import { testApp } from "./support/content.ts";
import { join, type Person, signIn } from "./support/seed.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";
import { opened } from "./support/viewer.ts";

const north = testApp();
let ada: Person;
let stranger: Person;

test.beforeAll(async () => {
  ada = await join(north.server, north.seeded, "ada.screens@fans.example.com", "Ada Byron");
  stranger = await signIn(north.server, "emmy.screens@fans.example.com", "Emmy Noether");
});

interface Screen {
  name: string;
  path: string;
  /** What is shown once the screen has loaded. */
  shown: (page: Page) => ReturnType<Page["getByText"]>;
}

const heading = (name: string | RegExp) => (page: Page) => page.getByRole("heading", { name });

function screens(): Record<"ofAda" | "ofStranger" | "ofSignedOut", Screen[]> {
  const { seeded } = north;
  const app = `/app/org/${seeded.org}`;
  const code = new URL(seeded.joinUrl).pathname.split("/").at(-1);
  return {
    ofAda: [
      { name: "home", path: app, shown: heading("All playlists") },
      { name: "playlist", path: `${app}/playlists/${seeded.playlists[1]}`, shown: heading("Getting started") },
      { name: "search", path: `${app}/search`, shown: (page) => page.getByRole("searchbox") },
      { name: "me", path: `${app}/me`, shown: heading("Signed-in devices") },
      { name: "stored data", path: `${app}/me/data`, shown: heading("Profile") },
      { name: "details", path: "/app/details", shown: heading("Your details") },
      { name: "dead link", path: `${app}/playlists/00000000-0000-4000-8000-000000000000`, shown: heading(/.+/) },
    ],
    ofStranger: [
      { name: "joining", path: `/app/join/${code}`, shown: heading("Northwind Media") },
      { name: "consent", path: `/app/join/${code}/consent`, shown: (page) => page.getByRole("button", { name: "No" }) },
    ],
    ofSignedOut: [{ name: "sign-in", path: `/app/sign-in?joinCode=${code}`, shown: (page) => page.getByLabel("Email") }],
  };
}

/** What can be touched and has an area smaller than 44 px in a direction, outside of running text. */
async function small(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // The area can be larger than what is drawn.
    const reaches = (element: HTMLElement) => {
      element.scrollIntoView({ block: "center" });
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const ends = [[0, -21.5], [0, 21.5], [-21.5, 0], [21.5, 0]] as const;
      return ends.every(([across, down]) => element.contains(document.elementFromPoint(x + across, y + down)));
    };
    return [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, [role=switch], [role=button]")]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((element) => element.closest("p, li > span, [data-controls], media-controller") === null)
      .map((element) => ({ element, box: (element.closest("label") ?? element).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1 && (box.height < 43.5 || box.width < 43.5))
      .filter(({ element }) => !reaches(element))
      .map(({ element, box }) => `${element.outerHTML.slice(0, 90)} is ${Math.round(box.width)} by ${Math.round(box.height)}`);
  });
}

for (const width of [360, 390, 768, 1440]) {
  test(`every screen fits ${width} px, and axe finds nothing`, async ({ browser }) => {
    const touch = width <= 768;
    const device = { viewport: { width, height: touch ? 800 : 900 }, hasTouch: touch, isMobile: touch };
    const { ofAda, ofStranger, ofSignedOut } = screens();
    for (const [token, list] of [
      [ada.token, ofAda],
      [stranger.token, ofStranger],
      [null, ofSignedOut],
    ] as const) {
      const page = token === null ? await (await browser.newContext(device)).newPage() : await opened(browser, device, token);
      const quiet = complaints(page);
      for (const { name, path, shown } of list) {
        await test.step(name, async () => {
          await page.goto(north.server.url + path);
          await expect(shown(page).first()).toBeVisible();
          await page.waitForLoadState("networkidle");
          expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), `width of ${name}`).toBe(width);
          if (touch) expect.soft(await small(page), `small targets of ${name}`).toEqual([]);
          await accessible(page);
        });
      }
      quiet();
    }
  });
}
