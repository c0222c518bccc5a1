// A double click on a button that changes something sends one request.
import type { Locator, Page, Request } from "@playwright/test";
import { tabOf } from "./support/portal.ts";
import { Caller, join, type Seeded, seed } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { expect, test } from "./support/test.ts";
import { toast } from "./support/ways-in.ts";

let server: Server;
let seeded: Seeded;

test.beforeAll(async () => {
  server = await Server.start();
  seeded = await seed(server, 1);
});

test.afterAll(() => server?.stop());

/** Clicks twice and returns the requests that change something. */
async function twice(page: Page, button: Locator, done: () => Promise<void>): Promise<string[]> {
  const sent: string[] = [];
  const collect = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "GET" && pathname !== "/v1/events") sent.push(`${request.method()} ${pathname}`);
  };
  page.on("request", collect);
  await button.dblclick({ noWaitAfter: true });
  await done();
  // What a second click sent would have begun by now.
  await page.waitForTimeout(300);
  page.off("request", collect);
  return sent;
}

test("settings and the joining link", async ({ browser }) => {
  const page = await tabOf(browser, seeded.owner);
  await page.goto(`${server.url}/org/${seeded.org}/profile`);
  await page.getByLabel("Strapline").fill("Twice");
  const saved = await twice(page, page.getByRole("button", { name: "Save", exact: true }), () =>
    expect(page.getByText("Saved", { exact: true })).toBeVisible(),
  );
  expect(saved).toEqual([`PATCH /v1/organizations/${seeded.org}`]);
  await page.getByRole("button", { name: "Replace link" }).click();
  const confirm = page.getByRole("dialog", { name: "Confirmation" }).getByRole("button", { name: "Replace link" });
  const replaced = await twice(page, confirm, () => toast(page, "Join Url generated successfully!", "status"));
  expect(replaced).toEqual([`POST /v1/organizations/${seeded.org}/joinUrl`]);
  seeded.joinUrl = await page.getByLabel("Join URL").inputValue();
});

test("invitations of viewers", async ({ browser }) => {
  const page = await tabOf(browser, seeded.owner);
  await page.goto(`${server.url}/org/${seeded.org}/users`);
  await page.getByRole("button", { name: "Invite viewers" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite viewers" });
  await dialog.getByLabel("Email", { exact: true }).fill("twice@invite.example");
  const invited = await twice(page, dialog.getByRole("button", { name: "Send invite" }), () => expect(dialog).toBeHidden());
  expect(invited).toEqual([`POST /v1/organizations/${seeded.org}/invites`]);
  const row = page.getByRole("list", { name: "Viewer invitations" }).getByRole("listitem").first();
  const again = await twice(page, row.getByRole("button", { name: /^Resend/ }), () => toast(page, "Invite sent successfully!", "status"));
  expect(again.length).toBe(1);
});

test("a person, and what was deleted", async ({ browser }) => {
  await join(server, seeded, "ada@twice.example", "Ada Twice");
  const api = new Caller(server, seeded.owner.token);
  const playlist = await api.call<{ uid: string }>("POST", "/v1/playlists", {
    orgId: seeded.org,
    playlist: { title: "By mistake", items: [] },
  });
  await api.call("DELETE", `/v1/playlists/${playlist.uid}`);
  const page = await tabOf(browser, seeded.owner);
  await page.goto(`${server.url}/org/${seeded.org}/playlists?tab=deleted`);
  const restored = await twice(page, page.getByRole("button", { name: "Restore By mistake" }), () =>
    toast(page, "Restored", "status"),
  );
  expect(restored).toEqual([`POST /v1/playlists/${playlist.uid}/restore`]);
});
