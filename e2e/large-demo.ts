// Home, Analytics, the reports and Leads with the large demo: every state is photographed at both widths and in both
// schemes; screens that have loaded are accessible and keep their layout, and files and lists are complete.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { brokenVideo } from "./support/files.ts";
import { keepsLayout, organisation } from "./support/portal.ts";
import { embed, send } from "./support/seed.ts";
import { fail, open, type Shots, shoot, takeLoadingAndFailed } from "./support/shots.ts";
import { accessible, expect, test } from "./support/test.ts";

const invited = ["noor", "sam", "ivy"].map((name) => `${name}@harbour.example`);
/** App users of the demo's first organisation. */
const PEOPLE = 5000;
/** What the screens of numbers request. */
const numbers = /\/v1\/(analytics\/|organizations\/[^/]+\/dashboard)/;

/** A screen, and a heading that it has once it has loaded. */
type Screens = Record<string, [path: string, heading: string]>;

interface Fresh {
  org: string;
  item: string;
}

let fresh: Fresh | undefined;

test("the screens of numbers with the large demo", ({ browser }) =>
  shoot(
    browser,
    invited,
    async (shots) => {
      const screens = await screensOf(shots);
      if (fresh === undefined) {
        await lists(shots);
        fresh = await freshOrganisation(shots);
      }
      await loaded(shots, screens);
      for (const [name, [path]] of Object.entries(screens)) {
        await takeLoadingAndFailed(shots, name, shots.url + path, numbers);
      }
      await ranges(shots);
      await leads(shots);
      await nothing(shots, fresh);
    },
    "large",
  ));

async function screensOf({ api, org }: Shots): Promise<Screens> {
  const top = await api.call<{ popularContent: { id: string }[]; playlists: { id: string }[] }>(
    "GET",
    `/v1/organizations/${org}/dashboard`,
  );
  const { data } = await api.call<{ data: { uid: string; name: string }[] }>("GET", "/v1/organizations");
  return {
    home: [`/org/${org}/home`, "Hot leads"],
    analytics: [`/org/${org}/analytics?range=12m`, "Busiest hours"],
    item: [`/org/${org}/analytics/content/${top.popularContent[0]!.id}`, "Devices"],
    playlist: [`/org/${org}/analytics/playlists/${top.playlists[0]!.id}`, "Devices"],
    leads: [`/org/${org}/leads`, `${data.find(({ uid }) => uid === org)!.name} Leads`],
  };
}

/** Files have every row, and a list shows every row once while one scrolls. */
async function lists({ page, api, url, org }: Shots): Promise<void> {
  await open(page, `${url}/org/${org}/users`);
  await page.getByRole("button", { name: "Export" }).click();
  const users = await rowsOf(page, () => page.getByRole("menuitem", { name: "All users", exact: true }).click());
  expect(users.length).toBeGreaterThanOrEqual(PEOPLE);
  expect(new Set(users).size).toBe(users.length);

  const { counts } = await api.call<{ counts: { total: number } }>("GET", `/v1/analytics/leads?orgId=${org}`);
  await open(page, `${url}/org/${org}/leads`);
  const exported = await rowsOf(page, () => page.getByRole("button", { name: "Download leads as .csv" }).dblclick());
  expect(new Set(exported).size).toBe(counts.total);

  const rows = page.getByRole("table", { name: "Leads" }).locator("tbody tr:not([data-placeholder])");
  await expect(async () => {
    await rows.last().scrollIntoViewIfNeeded();
    expect(await rows.count()).toBeGreaterThan(200);
  }).toPass({ timeout: 120_000, intervals: [100] });
  const names = await rows.evaluateAll((all) => all.map((row) => row.children[1]?.textContent ?? ""));
  expect(new Set(names).size).toBe(names.length);
}

/** The lines of a file that is downloaded, without the names of its columns. */
async function rowsOf(page: Page, begin: () => Promise<void>): Promise<string[]> {
  const saving = page.waitForEvent("download");
  await begin();
  return (await readFile(await (await saving).path(), "utf8")).trimEnd().split("\r\n").slice(1);
}

/** An organisation in which nothing was watched yet, with an item. What needs attention appears in the demo's. */
async function freshOrganisation({ server, staff, api, org: demo }: Shots): Promise<Fresh> {
  const org = await organisation(server, staff, "Fresh Start");
  const item = await embed(api, org, "Not watched yet");
  const bytes = await readFile(await brokenVideo());
  await send(api, demo, { bytes, name: "harbour.mp4", type: "video/mp4", title: "The harbour, raw material" });
  return { org, item };
}

async function loaded({ page, url, light, take }: Shots, screens: Screens): Promise<void> {
  const addresses = Object.entries(screens).map(([name, [path, heading]]) => [name, url + path, heading] as const);
  await keepsLayout(page, addresses.map(([, address, heading]) => [address, heading]));
  await page.unrouteAll();
  for (const [name, address, heading] of addresses) {
    await open(page, address);
    await expect(page.getByRole("heading", { name: heading, exact: true }).first()).toBeVisible();
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(beyond, name).toBeLessThanOrEqual(0);
    await take(name, true);
    if (light) await accessible(page);
  }
}

/** Values stay when another range does not load, and a plan may not show all of a range. */
async function ranges({ page, url, org, take }: Shots): Promise<void> {
  await open(page, `${url}/org/${org}/analytics`);
  await fail(page, numbers);
  await page.getByLabel("Date range").first().click();
  await page.getByRole("option", { name: "Last 12 months" }).click();
  await page.getByText(/^The figures below are from:/).first().waitFor();
  await take("analytics-stale", true);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const day = new Date(Date.now() - 200 * 86_400_000).toISOString();
  await page.route(/\/v1\/analytics\/(overview|watch_time)/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), limitedFrom: day, previousLimitedFrom: day } });
  });
  await open(page, `${url}/org/${org}/analytics?range=12m`);
  await page.getByText(/^Your plan shows numbers from/).waitFor();
  await take("analytics-limited", true);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await open(page, `${url}/org/${org}/analytics/content/00000000-0000-4000-8000-000000000000`);
  await page.getByText("There are no numbers here").waitFor();
  await take("item-missing");
}

async function leads({ page, url, org, narrow, light, take }: Shots): Promise<void> {
  const at = `${url}/org/${org}/leads`;
  await open(page, `${at}?temperature=warm&sort=lastSeen`);
  await take("leads-warm");
  await open(page, `${at}?search=zzzzzz`);
  await page.getByText("No leads match").waitFor();
  await take("leads-no-match");
  await open(page, `${at}?temperature=hot`);
  const rows = narrow ? page.getByRole("list", { name: "Leads" }).getByRole("listitem") : page.getByRole("row");
  await rows.nth(narrow ? 0 : 1).getByRole("button").first().click();
  const modal = page.getByRole("dialog", { name: "Lead" });
  await modal.getByRole("list", { name: "Top 3 content" }).waitFor();
  await page.waitForLoadState("networkidle");
  if (light) await accessible(page);
  await take("lead");
  await modal.getByRole("region", { name: "Sign ins" }).scrollIntoViewIfNeeded();
  await take("lead-charts");
  await modal.getByRole("list", { name: "Recent activity" }).getByRole("listitem").last().scrollIntoViewIfNeeded();
  await take("lead-end");
  const address = page.url();
  await page.route(/\/v1\/analytics\/(leads|users|activity|views|visits|watch_time)(\/|\?)/, () => undefined);
  await page.goto(address);
  await modal.waitFor();
  await page.waitForTimeout(500);
  await take("lead-loading");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await fail(page, numbers);
  await page.goto(address);
  await modal.getByRole("button", { name: "Try again" }).first().waitFor();
  await take("lead-failed");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await open(page, `${at}?lead=00000000-0000-4000-8000-000000000000`);
  await modal.waitFor();
  await take("lead-gone");
}

/** What an organisation sees before anything was watched. */
async function nothing({ page, url, take }: Shots, { org, item }: Fresh): Promise<void> {
  for (const [name, path] of Object.entries({
    "home-nothing": "home",
    "analytics-nothing": "analytics",
    "item-nothing": `analytics/content/${item}`,
    "leads-nothing": "leads",
  })) {
    await open(page, `${url}/org/${org}/${path}`);
    await take(name, true);
  }
}
