// Shared by the journeys of the viewer app.
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";

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
