// Home, Analytics and Leads, with an audience of 200 people over two days.
import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import { clock, contact, crowd, report, view, visit } from "./support/audience.ts";
import { keepsLayout, phone, tabOf } from "./support/portal.ts";
import { Caller, linkSignIn, pass, type Person, type Seeded, seed } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

const PEOPLE = 200;
const FOUNDERS = 1;
const HOT = 5;
const WARM = 15;
const LENGTH = 120;

let server: Server;
let seeded: Seeded;
let owner: Person;
/** By how much the sandbox's clock was moved. */
let ahead: number;

test.beforeAll(async () => {
  server = await Server.start();
  seeded = await seed(server, 0);
  const { org, items, playlists } = seeded;
  const [outlook = "", curve = ""] = items;
  const [briefings = ""] = playlists;
  // All of it happens around noon, so that no day ends in the middle.
  await pass(server, (1 + 0.5 - (Date.now() / 86_400_000) % 1) * 1440);
  const people = await crowd(server, seeded, PEOPLE);
  await pass(server, 20);
  const start = (await clock(server)) - 10 * 60_000;
  for (const [index, person] of people.entries()) {
    await report(server, org, person, [
      visit(start),
      ...(index < HOT + WARM ? view(start, outlook, briefings, [LENGTH, LENGTH]) : []),
      ...(index < HOT ? [contact(start, briefings)] : []),
      ...(index === HOT + WARM ? view(start, curve, briefings, [5, LENGTH]) : []),
    ]);
  }
  await pass(server, 26 * 60);
  const back = await linkSignIn(server, people[0]!.email);
  const later = (await clock(server)) - 5 * 60_000;
  await report(server, org, back, [visit(later), ...view(later, curve, briefings, [60, LENGTH])]);
  owner = await linkSignIn(server, seeded.owner.email);
  ahead = (await clock(server)) - Date.now();
});

test.afterAll(() => server?.stop());

const at = (path: string) => `${server.url}/org/${seeded.org}${path}`;

async function textOf(saving: Promise<Download>): Promise<string> {
  return readFile(await (await saving).path(), "utf8");
}

const tile = (page: Page, label: string) => page.getByText(label, { exact: true }).locator("..");

test("Home shows the totals and the last 28 days", async ({ browser }) => {
  const page = await tabOf(browser, owner, { ahead });
  const quiet = complaints(page);
  await page.goto(at("/home"));
  const total = (label: string) => tile(page, label).filter({ hasText: "All time" });
  await expect(total("Content views")).toContainText("21");
  await expect(total("Watch time")).toContainText("41 min");
  await expect(tile(page, "Views")).toContainText("21");
  await expect(tile(page, "New people")).toContainText(String(PEOPLE + FOUNDERS));
  await expect(tile(page, "New leads")).toContainText(String(PEOPLE));
  await expect(page.getByRole("heading", { name: "Last 28 days" })).toBeVisible();
  await expect(page.getByText("opened the app").first()).toBeVisible();
  await accessible(page);
  await page.getByRole("link", { name: "All leads" }).click();
  await page.waitForURL(/\/leads/);
  await page.goBack();
  await page.getByRole("link", { name: "Open analytics" }).click();
  await page.waitForURL(/\/analytics$/);
  quiet();
});

test("Analytics has the same numbers as chart, table and file, for each range", async ({ browser }) => {
  const page = await tabOf(browser, owner, { ahead });
  const quiet = complaints(page);
  await page.goto(at("/analytics"));
  const watchTime = page.getByRole("region", { name: "Watch time" });
  await expect(watchTime).toContainText("41.08 min");
  const table = watchTime.getByRole("table");
  await expect(table.getByRole("row")).toHaveCount(1 + 7);
  const values = await table.getByRole("cell").allTextContents();
  expect(values.filter((value) => value !== "0.00")).toEqual(["40.08", "1.00"]);
  const saving = page.waitForEvent("download");
  await watchTime.getByRole("button", { name: /^Download as .csv/ }).click();
  const lines = (await textOf(saving)).trimEnd().split("\r\n");
  expect(lines[0]).toBe('\ufeff"Begins","Period","Watch time (minutes)"');
  expect(lines.slice(1).map((line) => line.split(",").at(-1)?.replaceAll('"', ""))).toEqual(values);
  await expect(page.getByText("Too short")).toBeVisible();
  await accessible(page);

  await page.getByRole("combobox", { name: "Date range" }).or(page.getByRole("textbox", { name: "Date range" })).first().click();
  await page.getByRole("option", { name: "Last 30 days" }).click();
  await expect(page).toHaveURL(/range=30d/);
  await expect(table.getByRole("row")).toHaveCount(1 + 30);
  await expect(watchTime).toContainText("41.08 min");
  quiet();
});

test("the pages of an item and of a playlist keep the range", async ({ browser }) => {
  const page = await tabOf(browser, owner, { ahead });
  const quiet = complaints(page);
  await page.goto(at("/analytics"));
  await page.getByRole("list", { name: "Top content" }).getByRole("link", { name: "Q3 market outlook" }).click();
  await expect(page.getByRole("heading", { name: "Q3 market outlook" })).toBeVisible();
  await expect(tile(page, "Unique viewers")).toContainText(String(HOT + WARM));
  await expect(tile(page, "Finish rate")).toContainText("100%");
  const curve = page.getByRole("slider", { name: /^Where people watch/ });
  await curve.focus();
  await page.keyboard.press("End");
  await expect(curve).toHaveAttribute("aria-valuetext", /20 people \(100%\), 20 plays/);
  await accessible(page);
  await page.getByRole("link", { name: "Back to analytics" }).click();
  await page.getByRole("list", { name: "Top playlists" }).getByRole("link", { name: "Market briefings" }).click();
  await expect(page.getByRole("heading", { name: "Market briefings" })).toBeVisible();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Download as .csv/ }).click();
  expect(await textOf(saving)).toContain('"40.08"');
  await expect(page.getByRole("link", { name: "Q3 market outlook" })).toBeVisible();
  await accessible(page);
  quiet();
});

test("Leads are filtered, searched, sorted, scrolled and opened", async ({ browser }) => {
  const page = await tabOf(browser, owner, { ahead });
  const quiet = complaints(page);
  await page.goto(at("/leads"));
  const rows = page.getByRole("table", { name: "Leads" }).locator("tbody tr:not([data-placeholder])");
  const filter = (name: string) => page.getByRole("group", { name: "Filter by temperature" }).getByRole("button", { name });
  await expect(filter("Total leads")).toContainText(String(PEOPLE));
  await expect(filter("Hot leads")).toContainText(String(HOT));
  await expect(filter("Warm leads")).toContainText(String(WARM));
  await filter("Hot leads").click();
  await expect(rows).toHaveCount(HOT);
  await expect(page).toHaveURL(/temperature=hot/);
  await accessible(page);
  await filter("Total leads").click();
  await page.getByRole("searchbox", { name: "Search leads" }).fill("number100");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("guest-100@crowd.example.com");
  await page.getByRole("searchbox", { name: "Search leads" }).fill("");
  await expect(rows.first()).not.toContainText("guest-100");

  await page.getByRole("combobox", { name: "Sort leads" }).or(page.getByRole("textbox", { name: "Sort leads" })).first().click();
  await page.getByRole("option", { name: "Last seen" }).click();
  await expect(page).toHaveURL(/sort=lastSeen/);
  let emails: string[] = [];
  await expect(async () => {
    await rows.last().scrollIntoViewIfNeeded();
    emails = await rows.evaluateAll((all) => all.map((row) => row.children[1]?.textContent ?? ""));
    expect(emails).toHaveLength(PEOPLE);
    // The profiles of a page come after its leads.
    expect(new Set(emails).size).toBe(PEOPLE);
  }).toPass({ timeout: 60_000, intervals: [100] });

  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download leads as .csv" }).click();
  const lines = (await textOf(saving)).trimEnd().split("\r\n").slice(1);
  const exported = lines.map((line) => line.slice(1, -1).split('","')[6]);
  expect(exported.toSorted()).toEqual(emails.toSorted());

  await page.goto(at("/leads?temperature=hot"));
  await expect(rows).toHaveCount(HOT);
  await rows.filter({ hasText: "guest-001@" }).getByRole("button").click();
  const modal = page.getByRole("dialog", { name: "Lead" });
  await expect(modal.getByText("Last 12 months")).toBeVisible();
  await expect(modal.getByRole("list", { name: "Top 3 playlists" })).toContainText("Market briefings");
  await expect(modal.getByRole("list", { name: "Top 3 content" })).toContainText("How to read a yield curve");
  for (const name of ["Why this score", "Recent activity"])
    await expect(modal.getByRole("list", { name }).getByText("Opened the contact details of Market briefings")).toBeVisible();
  for (const [name, sum] of [
    ["Sign ins", 2],
    ["Watch time (minutes)", 3],
    ["Views", 2],
  ] as const) {
    const cells = modal.getByRole("region", { name }).getByRole("table").getByRole("cell");
    await expect(cells).toHaveCount(28);
    expect((await cells.allTextContents()).reduce((all, cell) => all + Number(cell), 0), name).toBe(sum);
  }
  await accessible(page);
  quiet();
});

/** The screens of numbers, with a heading that each has once it has loaded. */
const numbers = (): [address: string, heading: string][] => [
  [at("/home"), "Hot leads"],
  [at("/analytics"), "Busiest hours"],
  [at(`/analytics/content/${seeded.items[0]}`), "Devices"],
  [at(`/analytics/content/${seeded.items[3]}`), "Devices"],
  [at(`/analytics/playlists/${seeded.playlists[0]}`), "Devices"],
  [at("/leads"), "Northwind Media Leads"],
];

for (const [size, viewport] of Object.entries({ phone, desktop: { width: 1440, height: 900 } })) {
  test(`on a ${size}, the screens of numbers, people, settings and billing keep their layout while they load`, async ({ browser }) => {
    const page = await tabOf(browser, owner, { viewport, ahead });
    const title = "How to read a yield curve in good and in bad times";
    await new Caller(server, owner.token).call("PATCH", `/v1/content/${seeded.items[1]}`, { content: { title } });
    await keepsLayout(page, [
      ...numbers(),
      [at(`/analytics/content/${seeded.items[1]}`), "Devices"],
      [at("/users"), "Northwind Media Users"],
      [at("/profile"), "Organization"],
      [`${server.url}/billing`, "Invoices"],
    ]);
  });
}

test("on a phone, the screens of numbers are accessible", async ({ browser }) => {
  const page = await tabOf(browser, owner, { viewport: phone, ahead });
  for (const [address, heading] of numbers()) {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: heading, exact: true }).first()).toBeVisible();
    await accessible(page);
  }
  await page.getByRole("listitem").filter({ hasText: "guest-001@" }).or(page.getByRole("listitem").filter({ hasText: "Number001" })).first().getByRole("button").first().click();
  await expect(page.getByRole("dialog", { name: "Lead" }).getByText("Last 12 months")).toBeVisible();
  await accessible(page);
});
