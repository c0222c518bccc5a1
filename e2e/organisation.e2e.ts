// An organisation's settings: images, two editors, the joining link, sharing, restoring.
import { readFile } from "node:fs/promises";
import { fits } from "./support/content.ts";
import { fileOf } from "./support/files.ts";
import { phone, tabOf } from "./support/portal.ts";
import { Caller, join, type Seeded, seed, signIn } from "./support/seed.ts";
import { Server } from "./support/server.ts";
import { accessible, expect, test } from "./support/test.ts";
import { opened } from "./support/viewer.ts";
import { linkTo, toast } from "./support/ways-in.ts";

let server: Server;
let seeded: Seeded;
let api: Caller;

test.beforeAll(async () => {
  server = await Server.start();
  seeded = await seed(server, 1);
  api = new Caller(server, seeded.owner.token);
});

test.afterAll(() => server?.stop());

const settings = () => `${server.url}/org/${seeded.org}/profile`;

test("a file that is no image is refused, and a broken one is not uploaded", async ({ browser }) => {
  const page = await tabOf(browser, seeded.owner);
  await page.goto(settings());
  const field = page.getByLabel("Background wallpaper", { exact: true });
  await field.setInputFiles(await fileOf("drawing.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"));
  await toast(page, "File type is not supported.");
  await field.setInputFiles(await fileOf("broken.png", "not an image"));
  await toast(page, "Cannot read file broken.png");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await field.setInputFiles(await fileOf("large.png", Buffer.alloc(5 * 1024 * 1024 + 1)));
  await toast(page, "File size too large. Maximum file size should be within 5mb.");
});

test("two editors keep each other's changes, and a third choice is theirs", async ({ browser }) => {
  const [first, second] = [await tabOf(browser, seeded.owner), await tabOf(browser, seeded.owner)];
  await first.goto(settings());
  await second.goto(settings());
  await expect(second.getByLabel("Name", { exact: true })).toBeVisible();
  await first.getByLabel("Website").fill("https://first.example");
  await first.getByRole("button", { name: "Save" }).click();
  await expect(first.getByText("Saved", { exact: true })).toBeVisible();
  await second.getByLabel("Strapline").fill("From the second editor");
  await second.getByRole("button", { name: "Save" }).click();
  await expect(second.getByText("Someone else changed these settings.", { exact: true })).toBeVisible();
  await accessible(second);
  await second.getByRole("button", { name: "Save anyway" }).click();
  await expect(second.getByText("Saved", { exact: true })).toBeVisible();
  // What the first editor saved is shown, and the next save keeps it.
  await expect(second.getByLabel("Website")).toHaveValue("https://first.example");
  await second.getByLabel("Email").fill("second@northwind.example");
  await second.getByRole("button", { name: "Save" }).click();
  await expect(second.getByText("Saved", { exact: true })).toBeVisible();
  await first.reload();
  await expect(first.getByLabel("Website")).toHaveValue("https://first.example");
  await expect(first.getByLabel("Strapline")).toHaveValue("From the second editor");

  await first.getByLabel("Strapline").fill("Never saved");
  await first.getByRole("link", { name: "Audit log" }).click();
  await first.getByRole("dialog", { name: "Unsaved changes" }).getByRole("button", { name: "Stay" }).click();
  await expect(first.getByLabel("Strapline")).toHaveValue("Never saved");
  await first.getByRole("link", { name: "Audit log" }).click();
  await first.getByRole("button", { name: "Leave without saving" }).click();
  await expect(first.getByRole("heading", { name: "Audit log" })).toBeVisible();
});

test("the joining link is copied, downloaded as a QR code, and replaced", async ({ browser }) => {
  const page = await tabOf(browser, seeded.owner, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(settings());
  const link = await page.getByLabel("Join URL").inputValue();
  await page.getByRole("button", { name: "Copy" }).click();
  await toast(page, "Public join URL copied successfully!", "status");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await expect(page.getByRole("img", { name: `QR code of ${link}` })).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download QR code" }).click();
  const png = await readFile(await (await download).path());
  // Width and height in the header of a PNG.
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1024, 1024]);
  await page.getByRole("button", { name: "Replace link" }).click();
  await page.getByRole("dialog", { name: "Confirmation" }).getByRole("button", { name: "Replace link" }).click();
  await toast(page, "Join Url generated successfully!", "status");
  await expect(page.getByLabel("Join URL")).not.toHaveValue(link);
  seeded.joinUrl = await page.getByLabel("Join URL").inputValue();
  await page.goto(link);
  await expect(page.getByText("This joining link is not valid.")).toBeVisible();
});

test("an unlisted playlist is shared by its link alone", async ({ browser }) => {
  const playlist = await api.call<{ uid: string; title: string }>("POST", "/v1/playlists", {
    orgId: seeded.org,
    playlist: { title: "For partners", privacy: "unlisted", items: seeded.items },
  });
  const page = await tabOf(browser, seeded.owner);
  await page.goto(`${server.url}/org/${seeded.org}/playlists/${playlist.uid}`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share “For partners”" });
  await expect(dialog.getByText(/this link is the only way in/)).toBeVisible();
  await expect(dialog.getByRole("img", { name: /^QR code of/ })).toBeVisible();
  await accessible(page);
  const link = await dialog.getByLabel("Link").inputValue();
  const partner = await join(server, seeded, "partner@share.example", "Pat Partner");
  const app = await opened(browser, { viewport: phone }, partner.token);
  await app.goto(`${server.url}/app/org/${seeded.org}`);
  await expect(app.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(app.getByText("For partners")).toHaveCount(0);
  await app.goto(link);
  await expect(app.getByRole("heading", { name: "For partners" })).toBeVisible();
  await app.context().close();
});

test("a deleted playlist is restored, on a phone", async ({ browser }) => {
  const playlist = await api.call<{ uid: string }>("POST", "/v1/playlists", {
    orgId: seeded.org,
    playlist: { title: "By mistake", items: seeded.items },
  });
  await api.call("DELETE", `/v1/playlists/${playlist.uid}`);
  const page = await tabOf(browser, seeded.owner, { viewport: phone });
  await page.goto(`${server.url}/org/${seeded.org}/playlists?tab=deleted`);
  await expect(page.getByText("By mistake")).toBeVisible();
  await fits(page);
  await accessible(page);
  await page.getByRole("button", { name: "Restore By mistake" }).click();
  await toast(page, "Restored", "status");
  await expect(page.getByText("Nothing was deleted in the last 30 days.")).toBeVisible();
  await page.getByRole("link", { name: "Playlists", exact: true }).click();
  await expect(page.getByRole("link", { name: "By mistake" })).toBeVisible();
});

test("an item is deleted permanently: gone from the list, from the server and from the storage", async ({ browser }) => {
  const uid = seeded.items[0]!;
  const page = await tabOf(browser, seeded.owner);
  const shown = await api.call<{ url: string; title: string }>("GET", `/v1/content/${uid}`);
  expect((await fetch(shown.url)).status).toBe(200);
  const playlists = await api.call<{ data: { uid: string }[] }>("GET", `/v1/playlists?orgId=${seeded.org}`);
  for (const playlist of playlists.data) await api.call("PATCH", `/v1/playlists/${playlist.uid}`, { playlist: { items: [] } });
  await api.call("DELETE", `/v1/content/${uid}`);
  await page.goto(`${server.url}/org/${seeded.org}/playlists?tab=deleted`);
  await page.getByRole("button", { name: `Delete ${shown.title} permanently` }).click();
  const question = page.getByRole("dialog", { name: "Confirmation" });
  await expect(question.getByText(/and its files permanently\? They cannot be restored/)).toBeVisible();
  await accessible(page);
  await question.getByRole("button", { name: "Delete permanently" }).click();
  await toast(page, "Deleted permanently", "status");
  await expect(page.getByText(shown.title)).toHaveCount(0);
  await page.reload();
  await expect(page.getByText("Nothing was deleted in the last 30 days.")).toBeVisible();
  await expect(api.call("POST", `/v1/content/${uid}/restore`)).rejects.toThrow("404");
  expect((await fetch(shown.url)).status).not.toBe(200);
});

test("viewers are invited by a CSV file into a private organisation, and join with the invited address only", async ({
  browser,
}) => {
  await api.call("PATCH", `/v1/organizations/${seeded.org}`, { organisation: { privacy: "private" } });
  const joined = await signIn(server, "joined@csv.example", "Jo Joined");
  const page = await tabOf(browser, seeded.owner);
  await page.goto(`${server.url}/org/${seeded.org}/users`);
  await page.getByRole("button", { name: "Invite viewers" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite viewers" });
  const lines = Array.from({ length: 118 }, (_, n) => `Viewer ${n};viewer${n}@csv.example`);
  const csv = ["Name;Email", '"Able, Ann";Ann@csv.example', ...lines, `Owner;${seeded.owner.email}`].join("\r\n");
  await dialog.getByLabel("CSV file with email addresses").setInputFiles(await fileOf("people.csv", csv));
  await expect(dialog.getByText("120 addresses")).toBeVisible();
  await accessible(page);
  await dialog.getByRole("button", { name: "Send invite" }).click();
  await expect(dialog.getByText("119 of 120 invitations sent")).toBeVisible();
  await expect(dialog.getByText("1 address was not invited")).toBeVisible();
  await expect(dialog.getByText("This person has already joined.")).toBeVisible();
  await expect(dialog.getByLabel("Email", { exact: true })).toHaveValue(seeded.owner.email);
  await accessible(page);
  await page.keyboard.press("Escape");
  const open = page.getByRole("list", { name: "Viewer invitations" });
  await expect(open).toBeHidden();
  await page.getByRole("heading", { name: "Viewer invitations" }).click();
  await expect(open.getByRole("listitem").first()).toBeVisible();

  const [link = ""] = await server.mailLinks("ann@csv.example", []);
  expect(link).toContain("/app/join/");
  // Another person in the same browser sees whose invitation it is.
  const app = await opened(browser, { viewport: phone }, joined.token);
  await app.goto(server.url + new URL(link).pathname);
  await app.getByRole("button", { name: "Join" }).click();
  await expect(app.getByText("It is for ann@csv.example, but you are signed in as joined@csv.example.")).toBeVisible();
  await fits(app);
  await accessible(app);
  await app.context().close();

  const own = await (await browser.newContext({ viewport: phone })).newPage();
  await own.goto(link);
  await own.getByRole("button", { name: "Join" }).click();
  await expect(own.getByLabel("Email")).toHaveValue("ann@csv.example");
  await own.getByRole("button", { name: /link/i }).click();
  await expect(own.getByRole("heading", { name: /check/i })).toBeVisible();
  await own.goto(await linkTo(server, "ann@csv.example", "/app/authenticate"));
  await own.getByLabel("First name").fill("Ann");
  await own.getByLabel("Last name").fill("Able");
  await own.getByRole("button", { name: "Add phone and company" }).click();
  await own.getByLabel("Phone number").fill("+44 20 7946 0000");
  await own.getByLabel("Job title").selectOption({ index: 1 });
  await own.getByRole("button", { name: "Continue" }).click();
  await own.getByRole("button", { name: "Yes, I agree" }).click();
  await expect(own.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(own).toHaveURL(new RegExp(`/app/org/${seeded.org}$`));
  await page.reload();
  await expect(page.getByRole("button", { name: "Ann Able" })).toBeVisible();
  await own.context().close();
});
