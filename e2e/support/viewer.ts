// Shared by the journeys of the viewer app.
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import type { Server } from "./server.ts";

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Opens the app on a device, with the person signed in. */
export async function opened(browser: Browser, device: BrowserContextOptions, token: string): Promise<Page> {
  const context = await browser.newContext(device);
  await context.addInitScript((accessToken) => {
    // A session that the app has ended stays ended.
    if (sessionStorage.getItem("began") !== null) return;
    sessionStorage.setItem("began", "");
    localStorage.setItem("vitrine.viewer.session", JSON.stringify({ accessToken }));
  }, token);
  return context.newPage();
}

export const seconds = (page: Page): Promise<number> =>
  page.locator("video").evaluate((element: HTMLVideoElement) => element.currentTime);

/** The six digits of the newest email to an address. */
export async function digitsFor(server: Server, email: string): Promise<string> {
  await server.mailLinks(email);
  const answer = await fetch(`${server.url}/sandbox/api/mails?to=${encodeURIComponent(email)}`);
  const { data } = (await answer.json()) as { data: { text: string }[] };
  const digits = /asked for the email: (\d{3} \d{3})/.exec(data[0]?.text ?? "");
  if (digits?.[1] === undefined) throw new Error(`no code in ${data[0]?.text}`);
  return digits[1];
}

/** A newer version of the app is found, as when the server was updated while the app was open. */
export async function newerVersion(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    // Another address is another worker to the browser, even with the same content.
    await navigator.serviceWorker.register("/app/sw.js?newer", { scope: "/app/" });
  });
  await page.getByRole("button", { name: /^(Update|Aktualisieren)$/ }).waitFor();
}
