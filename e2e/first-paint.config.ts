// How soon the first screens are painted on a slow phone; the benchmark runs this against its own server.
import base from "./playwright.config.ts";

export default {
  ...base,
  testMatch: "first-paint.ts",
  reporter: [["line"]],
  // Recording a trace runs in the page, and would be measured too.
  use: { ...base.use, trace: "off", screenshot: "off" },
};
