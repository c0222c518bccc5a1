// Prints `PAGE SECONDS` for each round: the largest contentful paint over slow 4G, with a processor of a quarter of the speed.
import { expect, test } from "@playwright/test";
import { firstVisit } from "./support/first-visit.ts";

const ROUNDS = 5;

/** A setting of the caller. */
function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

test("first paint", async ({ browser }) => {
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
