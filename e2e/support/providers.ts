// Shared by the journeys with provider popups: both peers, a server that trusts them, and the four toasts.
import { Peer } from "../peers/openid.ts";
import { Server } from "./server.ts";
import { test } from "./test.ts";

/** The toast of a failed provider sign-in, by page and provider. */
export const failed = {
  login: {
    Google: "There was a problem signing in with Google.",
    Apple: "There was a problem signing in with Apple.",
  },
  "sign-up": {
    Google: "There was a problem signing in with Google",
    Apple: "There was a problem signing up with Apple",
  },
} as const;

/** Two providers and a server for all tests of this file. */
export interface ServerWithProviders {
  google: Peer;
  apple: Peer;
  server: Server;
}

/** Starts them; changes to a peer are reset after each test. */
export function serverWithProviders(): ServerWithProviders {
  const all: Partial<ServerWithProviders> = {};
  test.beforeAll(async () => {
    [all.google, all.apple] = await Promise.all([Peer.start("google"), Peer.start("apple")]);
    const settings = { ...all.google.settings(), ...all.apple.settings() };
    all.server = await Server.start({ VITRINE_BILLING: "none", ...settings });
    for (const peer of [all.google, all.apple]) peer.admit(all.server.url);
  });
  test.afterEach(() => {
    for (const peer of [all.google, all.apple]) {
      if (!peer) continue;
      peer.cutsOpener = false;
      peer.bend = () => undefined;
    }
  });
  test.afterAll(() => Promise.all([all.server?.stop(), all.google?.stop(), all.apple?.stop()]));
  return all as ServerWithProviders;
}
