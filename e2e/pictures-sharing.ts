// Takes screenshots of rarer states of Organization, Users, sharing and Recently deleted with the demo's data, at both widths and in
// both schemes.
import { test } from "@playwright/test";
import { fileOf, largeFile } from "./support/files.ts";
import { founder, open, type Shots, shoot } from "./support/shots.ts";

test("pictures of sharing and rarer states", ({ browser }) =>
  shoot(browser, [], async (shots) => {
    await settings(shots);
    await staff(shots);
    await sharing(shots);
    await deleted(shots);
  }));

/** Saved, an image that is too large, and an organisation that is not public and has no joining link. */
async function settings({ page, url, org, take }: Shots): Promise<void> {
  await open(page, `${url}/org/${org}/profile`);
  await page.getByLabel("Strapline").fill(`Clear films about money, ${Date.now()}`);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: true }).first().waitFor();
  await take("organisation-saved");
  await page.getByLabel("Logo", { exact: true }).setInputFiles(await largeFile("huge.png", 6 << 20));
  await page.waitForTimeout(500);
  await take("organisation-image-too-large");
  await page.route("**/v1/organizations", async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = (await response.json()) as { data: object[] };
    await route.fulfill({ response, json: { ...rest, data: data.map((one) => ({ ...one, privacy: "private", publicJoinUrl: "" })) } });
  });
  await open(page, `${url}/org/${org}/profile`);
  await page.getByText(/^Only public organizations have a joining link/).scrollIntoViewIfNeeded();
  await take("organisation-not-public");
  await page.unrouteAll();
}

/** The dialogs of staff, and a file without addresses. */
async function staff({ page, api, url, org, take }: Shots): Promise<void> {
  interface Row {
    role: string;
    user: { email: string; displayName: string };
  }
  const { data } = await api.call<{ data: Row[] }>("GET", `/v1/organizations/${org}/users?limit=100&adminsOnly=true`);
  const colleague = data.find(({ role, user }) => role !== "user" && role !== "superAdmin" && user.email !== founder.email)!;
  const own = data.find(({ user }) => user.email === founder.email)!;
  for (const [person, name] of [
    [colleague, "user-staff"],
    [own, "user-self"],
  ] as const) {
    await open(page, `${url}/org/${org}/users`);
    await page.getByRole("searchbox", { name: "Search users" }).fill(person.user.email);
    // What is found moves up.
    await page.getByText(/^(At least )?\d+ of/).waitFor();
    await page.getByRole("button", { name: person.user.displayName, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "User" });
    await dialog.waitFor();
    await page.waitForLoadState("networkidle");
    await take(name);
    if (person !== colleague) continue;
    await dialog.getByLabel("Role").click();
    await page.getByRole("option", { name: /^user$/i }).click();
    await page.getByRole("dialog", { name: "Confirmation" }).waitFor();
    await take("user-end-access");
  }
  await open(page, `${url}/org/${org}/users`);
  await page.getByRole("button", { name: "Invite viewers" }).click();
  await page.getByLabel("CSV file with email addresses").setInputFiles(await fileOf("names.csv", "name\nMaya\nTom\n"));
  await page.getByText("No email addresses were found in names.csv.").waitFor();
  await take("invite-viewers-csv");
}

/** The dialog for a private and an unlisted playlist, and for an item. */
async function sharing({ page, api, url, org, take }: Shots): Promise<void> {
  const { data } = await api.call<{ data: { uid: string; title: string }[] }>("GET", `/v1/playlists?orgId=${org}`);
  const { uid } = data.find(({ title }) => title === "Market briefings")!;
  for (const privacy of ["private", "unlisted", "public"]) {
    await api.call("PATCH", `/v1/playlists/${uid}`, { playlist: { privacy } });
    await open(page, `${url}/org/${org}/playlists/${uid}`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    await page.waitForLoadState("networkidle");
    if (privacy !== "public") await take(`share-${privacy}`);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Share .+/ }).first().click();
  await page.getByRole("dialog").waitFor();
  await take("share-item");
}

/** The question before something is deleted for good, and the empty list. */
async function deleted({ page, api, url, org, take }: Shots): Promise<void> {
  const playlist = { title: `Autumn campaign ${Date.now()}`, items: [] };
  const { uid } = await api.call<{ uid: string }>("POST", "/v1/playlists", { playlist, orgId: org });
  await api.call("DELETE", `/v1/playlists/${uid}`);
  const list = `${url}/org/${org}/playlists?tab=deleted`;
  await open(page, list);
  await page.getByRole("button", { name: /^Delete .+ permanently$/ }).first().click();
  await page.getByRole("dialog", { name: "Confirmation" }).waitFor();
  await take("deleted-permanently");
  await page.route(/\/v1\/(content|playlists)\/deleted/, (route) => route.fulfill({ json: { data: [] } }));
  await open(page, list);
  await page.getByText("Nothing was deleted in the last 30 days.").waitFor();
  await take("deleted-none");
  await page.unrouteAll();
}
