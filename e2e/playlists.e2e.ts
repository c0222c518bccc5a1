// The life of a playlist: edited by two people, pinned, hidden, deleted.
import { testApp, type TestApp, playlistOf, sent } from "./support/content.ts";
import { imageFile, audio } from "./support/files.ts";
import { tabOf } from "./support/portal.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

const here = testApp();

interface Playlist {
  title: string;
  description: string;
  privacy: string;
  previewUrl: string;
  contact: { email: string; phoneNumber: string };
}

const stored = ({ api }: TestApp, uid: string): Promise<Playlist> => api.call<Playlist>("GET", `/v1/playlists/${uid}`);

test("a playlist is edited, also by two people at once, and deleted without its content", async ({ browser }) => {
  const content = await sent(here, audio, "A song", "audio/mpeg");
  const uid = await playlistOf(here, "Draft of a name", [content]);
  const page = await tabOf(browser, here.seeded.owner);
  const quiet = complaints(page);
  await page.goto(here.at(`/${uid}`));
  const header = page.getByRole("main").locator("header");
  await expect(header.getByText("N/A")).toHaveCount(2);
  const editing = page.getByRole("dialog", { name: "Edit Playlist" });
  const open = async (): Promise<void> => {
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await expect(editing).toBeVisible();
  };
  await open();
  await editing.getByLabel("Title").fill("");
  await editing.getByRole("button", { name: "Save" }).click();
  await expect(editing.getByText("Title is required")).toBeVisible();
  await accessible(page);
  await editing.getByLabel("Title").fill("Songs of the sea");
  await editing.getByLabel("Description").fill("Sung on board.\nAnd ashore.");
  await editing.getByLabel("Contact email").fill("choir@northwind.example.com");
  await editing.getByLabel("Contact phone").fill("+44 20 7946 0958");
  await editing.locator('input[type="file"]').setInputFiles(await imageFile());
  await page.getByRole("dialog", { name: "Crop thumbnail" }).getByRole("button", { name: "Use image" }).click();
  await expect(editing.getByRole("button", { name: "Replace thumbnail" })).toBeVisible();
  await editing.getByRole("switch", { name: "Public" }).click();
  await editing.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Playlist updated")).toBeVisible();
  await expect(editing).toBeHidden();
  await expect(header.getByRole("heading", { name: "Songs of the sea" })).toBeVisible();
  await expect(header.getByText("Unlisted")).toBeVisible();
  await expect(header.getByText("choir@northwind.example.com")).toBeVisible();
  await expect(header.getByRole("presentation").or(header.locator("img")).first()).toBeVisible();
  const saved = await stored(here, uid);
  expect(saved).toMatchObject({
    title: "Songs of the sea",
    description: "Sung on board.\nAnd ashore.",
    privacy: "unlisted",
    contact: { email: "choir@northwind.example.com", phoneNumber: "+44 20 7946 0958" },
  });
  expect(saved.previewUrl).toMatch(/\/images\//);

  await open();
  await editing.getByLabel("Title").fill("Mine");
  await here.api.call("PATCH", `/v1/playlists/${uid}`, { playlist: { title: "Theirs" } });
  await editing.getByRole("button", { name: "Save" }).click();
  await expect(editing.getByText("Someone else changed this playlist.")).toBeVisible();
  expect((await stored(here, uid)).title).toBe("Theirs");
  await accessible(page);
  await editing.getByRole("button", { name: "Save anyway" }).click();
  await expect(editing).toBeHidden();
  expect((await stored(here, uid)).title).toBe("Mine");

  await open();
  await editing.getByRole("button", { name: "Delete playlist" }).click();
  const asking = page.getByRole("dialog", { name: "Confirmation" });
  await accessible(page);
  await asking.getByRole("button", { name: "Cancel" }).click();
  await expect(editing).toBeVisible();
  await editing.getByRole("button", { name: "Delete playlist" }).click();
  await asking.getByRole("button", { name: "Delete playlist" }).click();
  await expect(page.getByText("Deleted playlist")).toBeVisible();
  await expect(page).toHaveURL(/\/playlists$/);
  await expect(page.getByRole("link", { name: "Mine", exact: true })).toHaveCount(0);
  expect((await here.api.call<{ title: string }>("GET", `/v1/content/${content}`)).title).toBe("A song");
  quiet();
});

test("four playlists can be pinned but not a fifth or a hidden one, and the order is kept", async ({ browser }) => {
  const titles = ["North", "East", "South"];
  for (const title of titles) await playlistOf(here, title);
  const hidden = await playlistOf(here, "Cellar");
  await here.api.call("PATCH", `/v1/playlists/${hidden}`, { playlist: { privacy: "private" } });
  const pinned = async (): Promise<string[]> => {
    const all = await here.api.call<{ data: { uid: string; pinnedPlaylists: string[] }[] }>("GET", "/v1/organizations");
    const ids = all.data.find(({ uid }) => uid === here.seeded.org)!.pinnedPlaylists;
    return Promise.all(ids.map(async (uid) => (await stored(here, uid)).title));
  };
  expect(await pinned()).toEqual(["Market briefings", "Getting started"]);
  const page = await tabOf(browser, here.seeded.owner);
  const quiet = complaints(page);
  await page.goto(here.at());
  const board = page.getByRole("region", { name: "Pinned playlists" });
  const grid = page.getByRole("region", { name: "All playlists" });
  const pin = (title: string) => grid.getByRole("button", { name: `Pin ${title}`, exact: true });
  await expect(page.getByText("You can pin 2 more playlists")).toBeVisible();
  await pin("North").click();
  await expect(page.getByText("You can pin 1 more playlists")).toBeVisible();
  await pin("East").click();
  await expect(page.getByText("You can pin 0 more playlists")).toBeVisible();
  await expect(board.getByRole("link")).toHaveText(["Market briefings", "Getting started", "North", "East"]);
  await expect.poll(pinned).toEqual(["Market briefings", "Getting started", "North", "East"]);
  await accessible(page);

  await pin("South").click();
  await expect(page.getByText("You cannot pin more than 4 playlists.")).toBeVisible();
  await expect(pin("South")).toHaveAttribute("aria-pressed", "false");
  await expect(pin("Cellar")).toHaveAttribute("aria-disabled", "true");

  await board.getByRole("button", { name: /^Move East:/ }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByText("East: position 3 of 4")).toBeAttached();
  await pin("Market briefings").click();
  await expect(page.getByText("You can pin 1 more playlists")).toBeVisible();
  await expect.poll(pinned).toEqual(["Getting started", "East", "North"]);
  await page.reload();
  await expect(board.getByRole("link")).toHaveText(["Getting started", "East", "North"]);
  quiet();
});
