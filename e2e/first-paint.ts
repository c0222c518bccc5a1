// Prints `PAGE SECONDS` for each round: the largest contentful paint over slow 4G, with a processor of a quarter of the speed.
// BENCH_APP names the app whose pages are opened.
import { type Page, expect, test } from "@playwright/test";
import { firstVisit } from "./support/first-visit.ts";

const ROUNDS = 5;

/** A setting of the caller. */
function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

test("first paint of the viewer app", async ({ browser }) => {
  test.skip(given("BENCH_APP") !== "viewer");
  test.setTimeout(600_000);
  const url = `${given("BENCH_URL")}/app/org/${given("BENCH_ORG")}`;
  const home = {
    slow: true,
    token: given("BENCH_TOKEN"),
    arrived: (page: Page) => expect(page.getByRole("main").getByRole("link").first()).toBeVisible({ timeout: 60_000 }),
  } as const;
  for (let round = 0; round < ROUNDS; round += 1) {
    const join = await firstVisit(browser, given("BENCH_JOIN"), {
      slow: true,
      arrived: (page) => expect(page.getByRole("button", { name: "Join" })).toBeVisible({ timeout: 60_000 }),
    });
    console.log(`join ${join.lcp}`);
    console.log(`viewer ${(await firstVisit(browser, url, home)).lcp}`);
    console.log(`again ${(await firstVisit(browser, url, { ...home, again: true })).lcp}`);
  }
});

test("first paint of the portal", async ({ browser }) => {
  test.skip(given("BENCH_APP") !== "portal");
  test.setTimeout(600_000);
  const server = given("BENCH_URL");
  for (let round = 0; round < ROUNDS; round += 1) {
    const login = await firstVisit(browser, `${server}/login`, {
      slow: true,
      arrived: (page) => expect(page.getByLabel("Email")).toBeVisible({ timeout: 60_000 }),
    });
    console.log(`login ${login.lcp}`);
    const home = await firstVisit(browser, `${server}/org/${given("BENCH_ORG")}/home`, {
      slow: true,
      token: given("BENCH_TOKEN"),
      arrived: (page) => expect(page.getByText("Nothing has been watched yet")).toBeVisible({ timeout: 60_000 }),
    });
    console.log(`home ${home.lcp}`);
  }
});
