// The export of people, compared cell by cell with the list.
import { readFile } from "node:fs/promises";
import { tabOf } from "./support/portal.ts";
import { Caller, join, type Seeded, seed } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

let server: Server;
let seeded: Seeded;
let api: Caller;

test.beforeAll(async () => {
  server = await Server.start();
  seeded = await seed(server, 0);
  api = new Caller(server, seeded.owner.token);
});

test.afterAll(() => server?.stop());

const columns =
  "User type,Time joined (if staff),Staff role,Time (consent),First Name,Last Name,Display Name,Email,Phone Number,Country Code,Company,Job Title,Business Area";

interface UserRow {
  role: string;
  timeJoined: string | null;
  timeConsent: string | null;
  user: Record<"firstName" | "lastName" | "displayName" | "email" | "phoneNumber" | "company" | "jobTitle" | "businessArea", string>;
}

/** Cells of a file in which every cell is quoted. */
const cellsOf = (text: string): string[][] =>
  text
    .replace("\ufeff", "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.slice(1, -1).split('","').map((cell) => cell.replaceAll('""', '"')));

/** The row of a person, from what the list says about them. */
function rowOf({ role, timeJoined, timeConsent, user }: UserRow): string[] {
  const staff = role !== "user";
  const texts = [user.company, user.jobTitle, user.businessArea];
  const guarded = (cell: string) => cell.replaceAll(/(^|;)(?=[=@])/g, "$1'");
  return [
    staff ? "Staff" : "User",
    staff ? (timeJoined ?? "") : "",
    staff ? { superAdmin: "Super admin", manager: "Manager" }[role]! : "",
    timeConsent ?? "",
    ...[user.firstName, user.lastName, user.displayName].map(guarded),
    user.email,
    user.phoneNumber,
    /^\+(44|47|91|1|49)(?= )/.exec(user.phoneNumber)?.[0] ?? "",
    ...texts.map(guarded),
  ];
}

test("the export has the people of the list, and no cell that runs as a formula", async ({ browser }) => {
  await join(server, seeded, "grace@rows.example", "Grace Holloway");
  const eve = await join(server, seeded, "eve@formula.example", "=cmd Formula");
  await new Caller(server, eve.token).call("PATCH", "/v1/profiles", { user: { company: "x;=HYPERLINK(1)" } });
  const page = await tabOf(browser, seeded.owner);
  await page.goto(`${server.url}/org/${seeded.org}/users`);
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "All users", exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("vitrine-users.csv");
  const text = await readFile(await file.path(), "utf8");
  expect(text.startsWith("\ufeff") && text.endsWith("\r\n")).toBe(true);
  const [header, ...rows] = cellsOf(text);
  expect(header?.join()).toBe(columns);
  const users = await api.call<{ total: number; data: UserRow[] }>("GET", `/v1/organizations/${seeded.org}/users?limit=100`);
  expect(rows).toHaveLength(users.total);
  // The list and the export have the same order.
  expect(rows).toEqual(users.data.map(rowOf));
  expect(rows.some(([type, joined, role]) => type === "Staff" && joined !== "" && role === "Super admin")).toBe(true);
  expect(rows.find((row) => row.includes("eve@formula.example"))).toEqual(
    expect.arrayContaining(["'=cmd Formula", "x;'=HYPERLINK(1)"]),
  );
  expect(text).not.toMatch(/(^|,|;)"?[=@]/m);
});
