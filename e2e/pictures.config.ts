// Screenshots of every screen, for review and the README: npm --prefix e2e run pictures
import base from "./playwright.config.ts";

export default { ...base, testMatch: ["pictures.ts", "pictures-organisation.ts", "pictures-sharing.ts", "pictures-billing.ts", "pictures-viewer.ts"] };
