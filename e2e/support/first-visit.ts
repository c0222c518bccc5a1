// Measures what a browser with an empty cache loads for one page, and how long the page takes.
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page, Response } from "@playwright/test";

export interface PageWeight {
  /** Number of loaded scripts. */
  scripts: number;
  /** Transferred size of the scripts, in kB. */
  scriptKb: number;
  /** Size of the scripts compressed with gzip, in kB, however they were sent. */
  scriptGzipKb: number;
  /** Transferred size of the styles, in kB. */
  styleKb: number;
  /** Largest contentful paint, in seconds. */
  lcp: number;
}

interface VisitOptions {
  /** Access token of a person who is already signed in. */
  token?: string | undefined;
  /** Measures a later visit, with the service worker and what the browser has kept. */
  again?: boolean;
  /** Emulates Lighthouse's slow 4G and a CPU at a quarter of its speed. */
  slow?: boolean;
  /** Waits until the page shows its main content. */
  arrived: (page: Page) => Promise<unknown>;
}

const slow4g = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/** Opens the page in a browser with an empty cache and waits until the network is idle. */
export async function firstVisit(browser: Browser, url: string, options: VisitOptions): Promise<PageWeight> {
  const { token, again = false, slow = false, arrived } = options;
  const name = new URL(url).pathname.startsWith("/app/") ? "vitrine.viewer.session" : "vitrine.session";
  const session = { name, value: JSON.stringify({ accessToken: token }) };
  const origins = token === undefined ? [] : [{ origin: new URL(url).origin, localStorage: [session] }];
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    serviceWorkers: again ? "allow" : "block",
    storageState: { cookies: [], origins },
  });
  try {
    if (again) await visitOnce(context, url, arrived);
    const page = await context.newPage();
    const wire = await context.newCDPSession(page);
    await wire.send("Network.enable");
    if (slow) {
      await wire.send("Network.emulateNetworkConditions", slow4g);
      await wire.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    }
    const kinds = new Map<string, string>();
    const bytes = { Script: [] as number[], Stylesheet: [] as number[] };
    wire.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
    wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId);
      if (kind === "Script" || kind === "Stylesheet") bytes[kind].push(encodedDataLength);
    });
    const scripts: Response[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") scripts.push(response);
    });
    await page.addInitScript(watchPaints);
    await page.goto(url);
    await arrived(page);
    await page.waitForLoadState("networkidle");
    const lcp = await page.evaluate(() => (window as unknown as { largestPaint: number }).largestPaint);
    const kb = (sizes: number[]) => sizes.reduce((sum, size) => sum + size, 0) / 1000;
    const [scriptKb, styleKb] = [kb(bytes.Script), kb(bytes.Stylesheet)];
    // Only now: reading the scripts takes time from the page.
    const scriptGzipKb = kb(await Promise.all(scripts.map(gzipSize)));
    return { scripts: bytes.Script.length, scriptKb, scriptGzipKb, styleKb, lcp: lcp / 1000 };
  } finally {
    await context.close();
  }
}

/** Browsers are sent Brotli, which is smaller. */
async function gzipSize(response: Response): Promise<number> {
  return gzipSync(await response.body(), { level: 9 }).length;
}

/** Visits the page until its worker controls it and has seen it. */
async function visitOnce(context: BrowserContext, url: string, arrived: VisitOptions["arrived"]): Promise<void> {
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  // The worker keeps only what it has loaded itself.
  await page.reload();
  await arrived(page);
  await page.waitForLoadState("networkidle");
  await page.close();
}

function watchPaints(): void {
  const kept = window as unknown as { largestPaint: number };
  kept.largestPaint = 0;
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) kept.largestPaint = startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
}
