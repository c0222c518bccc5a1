// Takes screenshots of every state of Organization and Users with the demo's data, at both widths and in both schemes.
import { type Locator, type Page, test } from "@playwright/test";
import { fileOf, imageFile } from "./support/files.ts";
import { fail, open, type Shots, shoot, takeLoadingAndFailed } from "./support/shots.ts";

const invited = ["noor", "sam", "ivy", "luca"].map((name) => `${name}@harbour.example`);

test("pictures of Organization and Users", ({ browser }) =>
  shoot(browser, invited, async (shots) => {
    const { url, org } = shots;
    await settings(shots);
    await takeLoadingAndFailed(shots, "organisation", `${url}/org/${org}/profile`, "**/v1/organizations");
    await people(shots);
    await takeLoadingAndFailed(shots, "users", `${url}/org/${org}/users`, "**/v1/organizations/*/users*");
    await links(shots);
  }));

async function settings({ page, api, url, org, narrow, take }: Shots): Promise<void> {
  await open(page, `${url}/org/${org}/profile`);
  await take("organisation-all", true);
  await page.getByLabel("Background", { exact: true }).fill("#ffffff");
  await page.getByLabel("Button color").fill("#ffe600");
  await page.getByText(/The text color is hard to read/).waitFor();
  // Closes the picker.
  await page.getByLabel("Button color").blur();
  await page.getByLabel("Text color").scrollIntoViewIfNeeded();
  await take("organisation-colors");
  if (narrow) {
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("dialog", { name: "Preview of the app" }).waitFor();
    await take("organisation-preview");
    await page.getByRole("dialog").locator("figure").last().scrollIntoViewIfNeeded();
    await take("organisation-preview-home");
    await page.keyboard.press("Escape");
  }
  await page.getByRole("button", { name: "Replace link" }).click();
  const question = page.getByRole("dialog", { name: "Confirmation" });
  await question.waitFor();
  await take("organisation-replace-link");
  await question.getByRole("button", { name: "Cancel" }).click();
  for (const [label, name, image] of [
    ["Background wallpaper", "crop-wallpaper", await imageFile()],
    ["Logo", "crop-gif", await gif()],
  ] as const) {
    await page.getByLabel(label, { exact: true }).setInputFiles(image);
    const crop = page.getByRole("dialog", { name: /^Crop/ });
    await crop.getByRole("group", { name: /^Part of the image/ }).waitFor();
    await take(`organisation-${name}`);
    await crop.getByRole("button", { name: "Cancel" }).click();
  }
  await page.getByLabel("Website").fill("not an address");
  await page.getByRole("button", { name: "Save" }).click();
  await take("organisation-invalid");
  await page.getByLabel("Website").fill("");
  await api.call("PATCH", `/v1/organizations/${org}`, { organisation: { description: `Changed ${Date.now()}` } });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Save anyway" }).waitFor();
  await page.getByText("Someone else changed these settings.", { exact: true }).first().scrollIntoViewIfNeeded();
  await take("organisation-conflict");
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("dialog", { name: "Unsaved changes" }).waitFor();
  await take("organisation-unsaved");
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await page.getByRole("heading", { name: "Audit log" }).waitFor();

  await page.route("**/v1/playlists?*", (route) => route.fulfill({ json: { data: [] } }));
  await page.route("**/v1/playlists/*", (route) => route.fulfill({ status: 404, json: { status: 404 } }));
  await open(page, `${url}/org/${org}/profile`);
  if (narrow) await page.getByRole("button", { name: "Preview" }).click();
  // There are two pairs of previews in the page, of which one is shown.
  await page.getByText("Nothing to watch yet").filter({ visible: true }).scrollIntoViewIfNeeded();
  await take("organisation-preview-empty");
  await fail(page, "**/v1/playlists?*");
  await open(page, `${url}/org/${org}/profile`);
  if (narrow) await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("Your playlists could not be loaded").filter({ visible: true }).scrollIntoViewIfNeeded();
  await take("organisation-preview-failed");
  await page.unrouteAll();
}

/** A small GIF of one frame. */
const gif = (): Promise<string> =>
  fileOf("mark.gif", Buffer.from("R0lGODdhAgACAIAAAPt2HBwUMCwAAAAAAgACAAACA0QSBQA7", "base64"));

async function people({ page, api, url, org, take }: Shots): Promise<void> {
  const all = await api.call<{ data: Row[] }>("GET", `/v1/organizations/${org}/users?limit=100`);
  const viewer = all.data.find(({ role, consent }) => role === "user" && consent)!;
  const users = `${url}/org/${org}/users`;
  await open(page, users);
  await take("users");
  await take("users-all", true);
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "All users GDPR" }).waitFor();
  await take("users-export");
  await page.keyboard.press("Escape");
  await page.getByText("Admins only").click();
  await page.waitForLoadState("networkidle");
  await take("users-admins");
  await page.getByText("Show all").click();
  const search = page.getByRole("searchbox", { name: "Search users" });
  await search.fill("a");
  await page.getByText(/^(At least )?\d+ of/).waitFor();
  await take("users-search");
  await search.fill("nothing like this");
  await page.getByText("No users available!").waitFor();
  await take("users-none");
  await page.getByRole("button", { name: "Clear search" }).click();
  await invite(page, take);
  await inviteViewers(page, take);
  await page.getByRole("heading", { name: "Viewer invitations" }).click();
  await page.getByRole("list", { name: "Viewer invitations" }).waitFor();
  await take("users-invitations");
  await search.fill(viewer.user.email);
  const card = page.getByRole("button", { name: viewer.user.displayName, exact: true });
  await card.click();
  const dialog = page.getByRole("dialog", { name: "User" });
  await dialog.waitFor();
  await page.waitForLoadState("networkidle");
  await take("user");
  await dialog.getByRole("button", { name: "Remove from organization" }).click();
  await page.getByRole("dialog", { name: "Confirmation" }).waitFor();
  await take("user-removal");
  await blocked(page, users, viewer, card, take);
  await page.route("**/v1/organizations/*/users*", (route) => route.fulfill({ json: { data: [], total: 0 } }));
  await page.route("**/v1/organizations/*/invites*", (route) => route.fulfill({ json: { data: [] } }));
  await open(page, users);
  await take("users-empty");
  await page.unrouteAll();
}

interface Row {
  userId: string;
  role: string;
  consent: boolean | null;
  user: { email: string; displayName: string };
}

/** The dialog of a person who is kept from rejoining. */
async function blocked(page: Page, users: string, viewer: Row, card: Locator, take: Shots["take"]): Promise<void> {
  const left = { ...viewer, membershipId: null, timeJoined: null, blocked: true, consent: false };
  await page.route("**/v1/organizations/*/users*", (route) => route.fulfill({ json: { data: [left], total: 1 } }));
  await open(page, users);
  await card.click();
  await page.getByRole("button", { name: "Allow rejoining" }).waitFor();
  await take("user-blocked");
  await page.unrouteAll();
}

async function invite(page: Page, take: Shots["take"]): Promise<void> {
  await page.getByRole("button", { name: "Invite admin" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite admin" });
  await dialog.getByLabel("Email").fill("maya@harbour");
  await dialog.getByRole("button", { name: "Send invite" }).click();
  await take("invite-staff");
  const problem = { status: 409, code: "already_member", message: "This person has already joined." };
  await page.route("**/v1/organizations/*/invites", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ json: { data: [{ userEmail: "maya@harbour.example", uid: null, problem }] } })
      : route.fallback(),
  );
  await dialog.getByLabel("Email").fill("maya@harbour.example");
  await dialog.getByRole("button", { name: "Send invite" }).click();
  await dialog.getByText("This person has already joined.").waitFor();
  await take("invite-staff-refused");
  await page.unrouteAll();
  await page.keyboard.press("Escape");
}

/** The form, the progress of a second request, and what it refuses. */
async function inviteViewers(page: Page, take: Shots["take"]): Promise<void> {
  await page.getByRole("button", { name: "Invite viewers" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite viewers" });
  await dialog.waitFor();
  await take("invite-viewers");
  const problem = { status: 409, code: "already_member", message: "This person has already joined." };
  let letGo: () => void = () => undefined;
  const pictured = new Promise<void>((done) => {
    letGo = done;
  });
  let requests = 0;
  await page.route("**/v1/organizations/*/invites", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    const { userEmails } = route.request().postDataJSON() as { userEmails: string[] };
    requests += 1;
    const last = requests > 1;
    if (last) await pictured;
    const data = userEmails.map((userEmail, at) => (last && at < 3 ? { userEmail, uid: null, problem } : { userEmail, uid: "sent" }));
    return route.fulfill({ json: { data } });
  });
  const addresses = Array.from({ length: 120 }, (_, at) => `viewer${at}@harbour.example`);
  await dialog.getByLabel("Email", { exact: true }).fill(addresses.join("\n"));
  await take("invite-viewers-filled");
  await dialog.getByRole("button", { name: "Send invite" }).click();
  await dialog.getByText(/^[1-9]\d* of 120$/).waitFor();
  await take("invite-viewers-progress");
  letGo();
  await dialog.getByText("3 addresses were not invited").waitFor();
  await take("invite-viewers-refused");
  await page.unrouteAll();
  await page.keyboard.press("Escape");
}

/** Links that do not work, and an organisation that has no room. */
async function links({ page, url, joinUrl, take }: Shots): Promise<void> {
  await open(page, `${url}/invite?code=gone`);
  await page.getByText("Invitation rejected!").waitFor();
  await take("invite-rejected");
  await open(page, `${url}/app/join/gone`);
  await take("join-invalid");
  const full = { status: 409, code: "organisation_full", message: "This organization cannot take more people right now." };
  await page.route("**/v1/join/*", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 409, json: full }) : route.fallback(),
  );
  await open(page, `${joinUrl}/consent`);
  await page.getByRole("button", { name: "No, join without sharing" }).click();
  await page.getByText(full.message).waitFor();
  await take("join-full");
  await page.unrouteAll();
}
