// The page with the plans: prices of the provider, monthly and annual, on a phone and a laptop.
import { fits } from "./support/content.ts";
import { phone } from "./support/portal.ts";
import { accessible, complaints, expect, test } from "./support/test.ts";

test("plans have prices, and the switch between monthly and annual works by keyboard", async ({ browser, server }) => {
  const page = await (await browser.newContext({ viewport: phone })).newPage();
  const untroubled = complaints(page);
  await page.goto(`${server.url}/pricing`);
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Essentials Monthly", "Professional Monthly"]);
  await expect(page.getByText("$49", { exact: true })).toBeVisible();
  await fits(page);
  await accessible(page);
  await page.getByRole("radio", { name: "Monthly" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Essentials Annual", "Professional Annual"]);
  await expect(page.getByText("$1,990", { exact: true })).toBeVisible();
  await expect(page.getByText("100,000 app users").filter({ visible: true })).toHaveCount(1);
  await accessible(page);
  await page.getByRole("link", { name: "Choose Professional Annual" }).click();
  await expect(page).toHaveURL(/\/login/);
  untroubled();
});
