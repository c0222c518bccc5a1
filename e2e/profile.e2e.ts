// Onboarding by keyboard alone, and the profile photo.
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { organisation, phone, tabOf } from "./support/portal.ts";
import { Caller, type Person, signIn } from "./support/seed.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

const picture = resolve(import.meta.dirname, "../web/portal/public/icon-512.png");

const profileOf = (url: string, person: Person) =>
  fetch(`${url}/v1/profiles`, { headers: { authorization: `Bearer ${person.token}` } }).then(
    (answer) => answer.json() as Promise<Record<string, unknown>>,
  );

/** Presses Tab until the named field has focus; fails if it cannot be reached. */
async function tabTo(page: Page, name: string): Promise<void> {
  const target = page.getByLabel(name, { exact: true }).or(page.getByRole("button", { name, exact: true }));
  for (let step = 0; step < 12; step += 1) {
    if (await target.first().evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${name} is not reached by Tab`);
}

test("onboarding by keyboard alone, both steps, ends at the requested address", async ({ browser, server }) => {
  const person = await signIn(server, "nina@new.example.com", "Nina Neuman");
  const page = await tabOf(browser, person);
  const quiet = complaints(page);
  await page.addInitScript(() => {
    if (sessionStorage.getItem("prepared") === null) localStorage.setItem("redirectUrl", "/billing?from=mail");
    sessionStorage.setItem("prepared", "yes");
  });
  await page.goto(`${server.url}/on-boarding/details/user`);
  await expect(page.getByLabel("First name")).toHaveValue("Nina");

  await tabTo(page, "First name");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("First name")).toBeFocused();
  await expect(page.getByRole("alert")).toHaveText("Accept to our Terms and Conditions before proceeding further.");
  await accessible(page);
  await page.keyboard.type("Antonina");
  await tabTo(page, "Phone number");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("+47 22 12 34 56");
  await expect(page.getByText("Norway", { exact: true })).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Terms and Conditions" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Add company details" })).toBeFocused();
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { name: "You are almost there!" })).toBeFocused();
  await tabTo(page, "Company");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Fjord Films");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("founder");
  await expect(page.getByRole("option")).toHaveText(["Founder"]);
  await accessible(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await tabTo(page, "Continue");
  await page.keyboard.press("Enter");

  // Without an organisation the shell redirects to /no-plan; the remembered address was used on the way.
  await page.waitForURL(/\/(no-plan|billing\?from=mail)$/);
  expect(await page.evaluate(() => localStorage.getItem("redirectUrl"))).toBeNull();
  expect(await profileOf(server.url, person)).toMatchObject({
    firstName: "Antonina",
    lastName: "Neuman",
    displayName: "Antonina Neuman",
    phoneNumber: "+47 22 12 34 56",
    company: "Fjord Films",
    jobTitle: "Founder",
  });
  quiet();
  await page.context().close();
});

test("a click that triggers a validation message still hits its target", async ({ browser, server }) => {
  const person = await signIn(server, "carl@click.example.com", "Carl Click");
  for (const viewport of [{ width: 1440, height: 900 }, phone]) {
    const page = await tabOf(browser, person, { viewport });
    await page.goto(`${server.url}/on-boarding/details/user`);
    await page.getByLabel("Last name").fill("");
    // The width of the button follows its font.
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const before = await page.getByRole("button", { name: "Continue" }).boundingBox();
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("Last name is required")).toBeVisible();
    await expect(page.getByRole("alert")).toBeVisible();
    expect(await page.getByRole("button", { name: "Continue" }).boundingBox()).toEqual(before);
    await page.context().close();
  }
});

test("a photo is chosen, shown, saved and removed; fields are restored after a reload", async ({ browser, server }) => {
  const person = await signIn(server, "fay@face.example.com", "Fay Face");
  await organisation(server, person, "Face Films");
  const page = await tabOf(browser, person);
  const quiet = complaints(page);
  await page.goto(`${server.url}/user-profile`);
  const head = page.getByRole("button", { name: /choose organization/ });
  await expect(head.locator("img")).toHaveCount(0);

  await page.getByLabel("Photo", { exact: true }).setInputFiles(picture);
  await page.getByRole("dialog", { name: "Crop photo" }).getByRole("button", { name: "Use image" }).click();
  const shown = page.getByRole("main").locator("img");
  await expect(shown).toHaveAttribute("src", /\/images\//);
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
  await page.getByLabel("Company", { exact: true }).fill("Face Films");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Profile updated successfully")).toBeVisible();
  await accessible(page);
  await expect(head.locator("img")).toHaveAttribute("src", /\/images\//);
  const saved = await profileOf(server.url, person);
  expect(saved).toMatchObject({ company: "Face Films", displayName: "Fay Face" });
  expect(saved["photoURL"]).toMatch(/\/images\//);

  await page.reload();
  await expect(page.getByLabel("Company", { exact: true })).toHaveValue("Face Films");
  await expect(head.locator("img")).toHaveAttribute("src", /\/images\//);
  await page.getByRole("button", { name: "Remove photo" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(head.locator("img")).toHaveCount(0);
  expect(await profileOf(server.url, person)).toMatchObject({ photoURL: "" });

  // A change from another device shows when the page is opened again.
  await new Caller(server, person.token).call("PATCH", "/v1/profiles", { user: { company: "Elsewhere Ltd" } });
  await page.reload();
  await expect(page.getByLabel("Company", { exact: true })).toHaveValue("Elsewhere Ltd");
  quiet();
  await page.context().close();
});
