// The page with the plans: prices of the provider, monthly and annual, on a phone and a laptop.
import { fits } from "./support/content.ts";
import { phone } from "./support/portal.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

test("plans have prices, and the switch between monthly and annual works by keyboard", async ({ browser, server }) => {
  const page = await (await browser.newContext({ viewport: phone })).newPage();
  const untroubled = complaints(page);
  await page.goto(`${server.url}/pricing`);
  const plans = page.getByRole("heading", { level: 2, name: /Essentials|Professional/ });
  await expect(plans).toHaveText(["Essentials Monthly", "Professional Monthly"]);
  await expect(page.getByText("US$49", { exact: true })).toBeVisible();
  const loaded = () => page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`));
  await expect.poll(loaded).toEqual([expect.stringMatching(/Inter Variable"? loaded/)]);
  await fits(page);
  await accessible(page);
  await page.getByRole("radio", { name: "Monthly" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(plans).toHaveText(["Essentials Annual", "Professional Annual"]);
  await expect(page.getByText("US$1,990", { exact: true })).toBeVisible();
  await expect(page.getByText("2 months free").filter({ visible: true })).toHaveCount(2);
  await expect(page.getByText("100,000 app users").filter({ visible: true })).toHaveCount(1);
  const people = page.getByRole("row", { name: /^App users/ }).getByRole("cell");
  await expect(people.filter({ visible: true })).toHaveText(["1,000", "100,000"]);
  await accessible(page);
  await page.getByRole("link", { name: "Choose Professional Annual" }).click();
  await expect(page).toHaveURL(/\/login/);
  untroubled();
});

test("amounts are written as in the language of the browser", async ({ browser, server }) => {
  const page = await (await browser.newContext({ locale: "de-DE" })).newPage();
  await page.goto(`${server.url}/pricing`);
  await page.getByText("Annual", { exact: true }).click();
  await expect(page.getByText("1.990 $", { exact: true })).toBeVisible();
});
