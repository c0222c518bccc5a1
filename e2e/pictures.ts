// Takes pictures of the screens of a filled organisation at both widths in both schemes.
import { resolve } from "node:path";
import { expect, test } from "./support/test.ts";
import { type Seeded, seed, watcher } from "./support/seed.ts";

const folder = resolve(import.meta.dirname, process.env["PICTURES"] ?? "test-results/pictures");
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

test("pictures", async ({ browser, server }) => {
  test.setTimeout(600_000);
  const seeded = await seed(server);
  const names = ["Ada Byron", "Grace Ho", "Linus Berg", "Maya Roy", "Victor Fan", "Ines Costa"];
  const watching = process.env["WITHOUT_VIEWERS"] === undefined ? names : [];
  for (const [index, name] of watching.entries()) {
    const email = `${name.toLowerCase().replace(" ", ".")}@fans.example.com`;
    await watcher(server, seeded, email, name, 60 + index * 70, 2 + index * 9);
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
      await context.close();
    }
  }
});

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
