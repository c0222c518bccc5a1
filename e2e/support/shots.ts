// Shared by the screenshots of states: the demo, seen by a staff member, at both widths and in both schemes.
import { resolve } from "node:path";
import { type Browser, type Page, test } from "@playwright/test";
import { Caller, type Person } from "./seed.ts";
import { Server } from "./server.ts";

const folder = resolve(import.meta.dirname, "..", process.env["PICTURES"] ?? "test-results/pictures");
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
/** A staff member of the demo; `vitrine demo` prints the password. */
export const founder = { email: "alexandra.lindqvist@northwind.example", password: "lantern-orchard-42" };

/** One size and scheme. */
export interface Shots {
  page: Page;
  server: Server;
  staff: Person;
  api: Caller;
  url: string;
  org: string;
  joinUrl: string;
  narrow: boolean;
  light: boolean;
  take: (name: string, fullPage?: boolean) => Promise<void>;
}

/** Starts the demo, invites viewers, and takes the shots of each size and scheme. */
export async function shoot(
  browser: Browser,
  userEmails: readonly string[],
  all: (shots: Shots) => Promise<void>,
  demo: "small" | "large" = "small",
): Promise<void> {
  test.setTimeout(demo === "small" ? 900_000 : 5_400_000);
  const server = await Server.demo(demo);
  try {
    const { accessToken, profile } = await new Caller(server).call<{ accessToken: string; profile: { uid: string } }>(
      "POST",
      "/v1/auth/sign-in",
      founder,
    );
    const staff = { email: founder.email, token: accessToken, uid: profile.uid };
    const api = new Caller(server, accessToken);
    const { data } = await api.call<{ data: { uid: string; publicJoinUrl: string }[] }>("GET", "/v1/organizations");
    const { uid: org, publicJoinUrl: joinUrl } = data[0]!;
    if (userEmails.length > 0) await api.call("POST", `/v1/organizations/${org}/invites`, { userEmails, role: "user" });
    for (const [size, viewport] of Object.entries(sizes)) {
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await (await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" })).newPage();
        await page.addInitScript(
          ([token, scheme]) => {
            localStorage.setItem("vitrine.session", JSON.stringify({ accessToken: token }));
            localStorage.setItem("vitrine.viewer.session", JSON.stringify({ accessToken: token }));
            localStorage.setItem("mantine-color-scheme-value", scheme!);
          },
          [accessToken, colorScheme],
        );
        const take = async (name: string, fullPage = false): Promise<void> => {
          await page.waitForTimeout(300);
          await page.screenshot({ path: `${folder}/${size}-${colorScheme}-${name}.png`, fullPage });
        };
        await all({ page, server, staff, api, url: server.url, org, joinUrl, narrow: size === "phone", light: colorScheme === "light", take });
        await page.context().close();
      }
    }
  } finally {
    await server.stop();
  }
}

/** Opens an address and waits until it has loaded. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForLoadState("networkidle");
}

/** Lets calls to these addresses fail. */
export async function fail(page: Page, calls: string | RegExp): Promise<void> {
  const json = { status: 500, code: "internal", message: "Something went wrong. Try again later!" };
  await page.route(calls, (route) => route.fulfill({ status: 500, json }));
}

/** Takes a screen while these calls are not answered, and after they have failed. */
export async function takeLoadingAndFailed(
  { page, take }: Shots,
  name: string,
  url: string,
  calls: string | RegExp,
): Promise<void> {
  await page.route(calls, () => undefined);
  await page.goto(url);
  await page.getByRole("main").waitFor();
  await page.waitForTimeout(1500);
  await take(`${name}-loading`, true);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await fail(page, calls);
  await page.goto(url);
  await page.getByRole("button", { name: "Try again" }).first().waitFor();
  await take(`${name}-failed`, true);
  await page.unrouteAll({ behavior: "ignoreErrors" });
}
