// Pictures of every screen, for looking at and for the README: npm --prefix e2e run pictures
import base from "./playwright.config.ts";

export default { ...base, testMatch: "pictures.ts" };
