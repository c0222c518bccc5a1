// Deleting an organization by the manager of its billing account, and restoring it.
import { fits } from "./support/content.ts";
import { organisation, phone, tabOf } from "./support/portal.ts";
import { signIn } from "./support/seed.ts";
import { accessible, expect, test } from "./support/test.ts";

test("an account manager deletes the only organization by its name and restores it from the page without a plan", async ({
  browser,
  server,
}) => {
  const ada = await signIn(server, "ada@deletion.example", "Ada Byron");
  const org = await organisation(server, ada, "Short-lived");
  const page = await tabOf(browser, ada, { viewport: phone });
  await page.goto(`${server.url}/billing`);
  await page.getByRole("button", { name: "Delete organization" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete organization" });
  await dialog.getByLabel("Type Short-lived to confirm").fill("Something else");
  await dialog.getByRole("button", { name: "Delete organization" }).click();
  await expect(dialog.getByText("This is not the name of the organization.")).toBeVisible();
  await fits(page);
  await accessible(page);
  await dialog.getByLabel("Type Short-lived to confirm").fill("Short-lived");
  await dialog.getByRole("button", { name: "Delete organization" }).dblclick();
  await expect(page).toHaveURL(`${server.url}/no-plan`);

  const deleted = page.getByRole("region", { name: "Deleted organizations" });
  await expect(deleted).toContainText(/Deleted for good on/);
  await fits(page);
  await accessible(page);
  await page.goto(`${server.url}/org/${org}/home`);
  await expect(page).toHaveURL(`${server.url}/no-plan`);

  await deleted.getByRole("button", { name: "Restore Short-lived" }).click();
  await expect(page).toHaveURL(new RegExp(`/org/${org}/`));
  await page.goto(`${server.url}/billing`);
  const plans = page.getByRole("list", { name: "Plans" });
  await expect(plans).toContainText("Short-lived");
  await expect(page.getByRole("region", { name: "Deleted organizations" })).toBeHidden();
});
