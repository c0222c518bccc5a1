// Takes screenshots of an organisation with data, at both widths and in both color schemes.
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "./support/test.ts";
import { Caller, join, type Person, pass, type Seeded, seed, watched } from "./support/seed.ts";

const folder = resolve(import.meta.dirname, process.env["PICTURES"] ?? "test-results/pictures");
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

test("pictures", async ({ browser, server }) => {
  test.setTimeout(600_000);
  const seeded = await seed(server);
  const api = new Caller(server, seeded.owner.token);
  for (const uid of seeded.items.slice(0, 3)) {
    const state = async () => (await api.call<{ processing: string }>("GET", `/v1/content/${uid}`)).processing;
    await expect.poll(state, { timeout: 120_000 }).toBe("done");
  }
  const names = ["Ada Byron", "Grace Ho", "Linus Berg", "Maya Roy", "Victor Fan", "Ines Costa"];
  const viewers: Person[] = [];
  for (const name of names) {
    const email = `${name.toLowerCase().replace(" ", ".")}@fans.example.com`;
    viewers.push(await join(server, seeded, email, name));
  }
  await pass(server, 50);
  for (const [index, person] of viewers.entries()) {
    for (const [nth, content] of seeded.items.slice(0, 3).entries()) {
      if (nth <= index) await watched(server, seeded, person, content, 2 + index * 3, 48 - nth * 15);
    }
  }
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
      const page = await context.newPage();
      await page.addInitScript(
        ([token, scheme]) => {
          localStorage.setItem("vitrine.session", JSON.stringify({ accessToken: token }));
          localStorage.setItem("mantine-color-scheme-value", scheme!);
        },
        [seeded.owner.token, colorScheme],
      );
      for (const [name, path] of Object.entries(screens(seeded))) {
        await page.goto(server.url + path);
        await page.waitForLoadState("networkidle");
        await expect(page.locator("body")).not.toBeEmpty();
        await page.screenshot({ path: `${folder}/${size}-${colorScheme}-${name}.png` });
      }
      await viewerScreens(page, server.url, seeded, `${folder}/${size}-${colorScheme}`, viewers[0]!.token);
      await context.close();
    }
  }
});

/** The viewer app as app users see it. */
async function viewerScreens(page: Page, url: string, seeded: Seeded, prefix: string, token: string): Promise<void> {
  await page.goto(seeded.joinUrl);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: `${prefix}-app-join.png` });
  await page.evaluate((value) => {
    localStorage.setItem("vitrine.viewer.session", JSON.stringify({ accessToken: value }));
  }, token);
  const paths = { home: "", playlist: `/playlists/${seeded.playlists[0]}`, me: "/me" };
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`${url}/app/org/${seeded.org}${path}`);
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: `${prefix}-app-${name}.png` });
  }
}

function screens({ org, playlists }: Seeded): Record<string, string> {
  return {
    home: `/org/${org}/home`,
    content: `/org/${org}/playlists`,
    playlist: `/org/${org}/playlists/${playlists[0]}`,
    users: `/org/${org}/users`,
    analytics: `/org/${org}/analytics`,
    leads: `/org/${org}/leads`,
    organisation: `/org/${org}/profile`,
    profile: "/user-profile",
    billing: "/billing",
    settings: "/settings",
    missing: "/org/nowhere",
  };
}
