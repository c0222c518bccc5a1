// The payment page of the stand-in.
import type { Page } from "@playwright/test";

export const works = "4242 4242 4242 4242";
export const declined = "4000 0000 0000 0002";

/** Fills in the card on the payment page and pays. */
export async function pay(page: Page, card: string): Promise<void> {
  await page.waitForURL(/\/sandbox\/pay\//);
  await page.getByLabel("Card number").fill(card);
  await page.getByLabel("Expiry").fill("12 / 30");
  await page.getByLabel("CVC").fill("123");
  await page.getByLabel("Name on card").fill("Olivia Northwind");
  await page.getByRole("button", { name: /^Pay/ }).click();
}
