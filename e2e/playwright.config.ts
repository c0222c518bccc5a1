import { defineConfig, devices } from "@playwright/test";

// Journeys against the real binary in Debian's Chromium. No retries: a flaky journey is a broken one.
export default defineConfig({
  testDir: ".",
  testMatch: "*.e2e.ts",
  workers: 2,
  retries: 0,
  timeout: 300_000,
  // A machine with two processors runs two browsers, two servers and their decoders at the same time.
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  outputDir: "test-results",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    // Dates, numbers and money follow it.
    locale: "en-GB",
    serviceWorkers: "block",
    actionTimeout: 30_000,
    screenshot: "only-on-failure",
    trace: "off",
    launchOptions: {
      executablePath: "/usr/bin/chromium-headless-shell",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--autoplay-policy=no-user-gesture-required",
      ],
    },
  },
});
