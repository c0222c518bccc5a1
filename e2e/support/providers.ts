// What journeys through a provider's window share: the two peers, a server that trusts them, the four given toasts.
import { Peer } from "../peers/openid.ts";
import { Server } from "./server.ts";
import { test } from "./test.ts";

/** What is said when a sign-in at a provider came to nothing, by page and provider. */
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

/** Two providers and a server of this file's own, there from its first test to its last. */
export interface Ground {
  google: Peer;
  apple: Peer;
  server: Server;
}

/** Starts them; what a test changes at a peer ends with it. */
export function ground(): Ground {
  const all: Partial<Ground> = {};
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
  return all as Ground;
}
