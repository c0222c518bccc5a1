// Every journey gets the running server; a page's script error or a CSP violation fails it.
import { AxeBuilder } from "@axe-core/playwright";
import { type Page, test as base, expect } from "@playwright/test";
import { Server } from "./server.ts";

export const test = base.extend<{ tidied: void }, { server: Server }>({
  // Close whatever a test opened: a video left playing would slow down later tests.
  tidied: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
});

/** Collects a page's errors; call the result at the end. */
export function complaints(page: Page): () => void {
  const said: string[] = [];
  page.on("pageerror", (error) => said.push(`script error: ${error.message}`));
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) said.push(message.text());
  });
  return () => expect(said).toEqual([]);
}

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Runs axe in light and dark: the portal follows the chosen scheme, other pages follow the system's. */
export async function accessible(page: Page): Promise<void> {
  const chosen = await page.evaluate(() => document.documentElement.dataset["mantineColorScheme"] ?? null);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await paint(page, chosen === null ? null : colorScheme);
    // The structure is the same in both schemes. Without the legacy mode axe opens a page for each result.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const rules = colorScheme === "light" ? axe.withTags(wcag) : axe.withRules(["color-contrast", "link-in-text-block"]);
    const found = await rules.analyze();
    const violations = found.violations.map((v) => `${colorScheme} ${v.id}: ${v.nodes.map((n) => n.target).join(", ")}`);
    expect.soft(violations).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: null });
  await paint(page, chosen);
}

async function paint(page: Page, scheme: string | null): Promise<void> {
  await page.evaluate(async (chosen) => {
    if (chosen !== null) document.documentElement.dataset["mantineColorScheme"] = chosen;
    // Color transitions may still be running.
    const passing = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.all(passing.map((animation) => animation.finished.catch(() => null)));
  }, scheme);
}

export { expect };
