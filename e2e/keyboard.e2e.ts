// The portal by keyboard: every stop shows that it has the focus.
import { tabThrough } from "./support/focus.ts";
import { tabOf } from "./support/portal.ts";
import { seed } from "./support/seed.ts";
import { expect, test } from "./support/test.ts";

test("every stop of the keyboard shows the focus, on every screen, in light and dark", async ({ browser, server }) => {
  const { owner, org, playlists } = await seed(server, 0);
  for (const scheme of ["light", "dark"] as const) {
    const page = await tabOf(browser, owner, { scheme, colorScheme: scheme });
    for (const path of [
      `/org/${org}/home`,
      `/org/${org}/playlists`,
      `/org/${org}/playlists/${playlists[0]}`,
      `/org/${org}/users`,
      `/org/${org}/analytics`,
      `/org/${org}/leads`,
      `/org/${org}/profile`,
      `/org/${org}/audit`,
      "/user-profile",
      "/billing",
      "/settings",
    ]) {
      await page.goto(server.url + path);
      // Before the app has rendered there may be a pause without requests.
      await page.getByRole("main").getByRole("heading", { level: 1 }).first().waitFor();
      await page.waitForLoadState("networkidle");
      expect(await tabThrough(page), path).toBeGreaterThan(10);
    }
    const out = await (await browser.newContext({ colorScheme: scheme })).newPage();
    await out.goto(`${server.url}/login`);
    await expect(out.getByLabel("Email")).toBeVisible();
    expect(await tabThrough(out)).toBeGreaterThanOrEqual(4);
  }
});
