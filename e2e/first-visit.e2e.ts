// The weight of a first visit: every script and style a browser loads, counted on the wire.
import { firstVisit, type Visit } from "./support/first-visit.ts";
import { organisation } from "./support/portal.ts";
import { signIn } from "./support/seed.ts";
import { expect, test } from "./support/test.ts";

function within(visit: Visit, budget: { scripts: number; scriptKb: number; styleKb: number }): void {
  const { scripts, scriptKb, styleKb } = visit;
  console.log(`  ${scripts} scripts of ${scriptKb.toFixed(0)} kB, styles of ${styleKb.toFixed(0)} kB`);
  expect(scripts, "scripts").toBeLessThanOrEqual(budget.scripts);
  expect(scriptKb, "kB of scripts").toBeLessThanOrEqual(budget.scriptKb);
  expect(styleKb, "kB of styles").toBeLessThanOrEqual(budget.styleKb);
}

test("the sign-in loads few scripts, and little", async ({ browser, server }) => {
  const visit = await firstVisit(browser, `${server.url}/login`, {
    arrived: (page) => expect(page.getByLabel("Email")).toBeVisible(),
  });
  within(visit, { scripts: 12, scriptKb: 166, styleKb: 40 });
});

test("the home screen loads few scripts, and little", async ({ browser, server }) => {
  const person = await signIn(server, "first.visit@example.com", "Ada Byron");
  const org = await organisation(server, person, "First visit");
  const visit = await firstVisit(browser, `${server.url}/org/${org}/home`, {
    token: person.token,
    arrived: (page) => expect(page.getByText("Nothing has been watched yet")).toBeVisible(),
  });
  within(visit, { scripts: 20, scriptKb: 220, styleKb: 40 });
});
