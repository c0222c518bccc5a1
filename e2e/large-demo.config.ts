// The screens of numbers with the large demo: npm --prefix e2e run large-demo
import base from "./playwright.config.ts";

export default { ...base, testMatch: "large-demo.ts" };
