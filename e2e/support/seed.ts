// Fills a running sandbox through the public API, for journeys that need an organisation with data.
import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Server } from "./server.ts";

const media = resolve(import.meta.dirname, "../../target/media");

export interface Person {
  email: string;
  token: string;
  uid: string;
}

export interface Seeded {
  owner: Person;
  org: string;
  playlists: string[];
  items: string[];
  joinUrl: string;
}

type Json = Record<string, unknown>;

export class Caller {
  constructor(
    private readonly server: Server,
    private readonly token: string = "",
  ) {}

  async call<T = Json>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${this.server.url}${path}`, {
      method,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === "" ? {} : JSON.parse(text)) as T;
  }
}

/** Signs in with a mailed link. */
export async function linkSignIn(server: Server, email: string): Promise<Person> {
  const visitor = new Caller(server);
  const known = (await server.mails(email)).map(({ uid }) => uid);
  await visitor.call("POST", "/v1/auth/magic-links", { email, action: "signup" });
  const code = new URL(await server.mailedLink(email, "/authenticate", known)).searchParams.get("code");
  const session = await visitor.call<{ accessToken: string; profile: { uid: string } }>(
    "POST",
    "/v1/auth/magic-links/redeem",
    { email, code },
  );
  return { email, token: session.accessToken, uid: session.profile.uid };
}

/** Signs in and fills in the profile. */
export async function signIn(server: Server, email: string, name: string): Promise<Person> {
  const person = await linkSignIn(server, email);
  const [firstName = name, lastName = ""] = name.split(" ");
  const phones = ["+44 20 7946 0958", "+47 22 12 34 56", "+91 22 6789 0123", "+1 212 555 0123", "+49 30 123456"];
  await new Caller(server, person.token).call("PATCH", "/v1/profiles", {
    user: {
      firstName,
      lastName,
      displayName: name,
      phoneNumber: phones[name.length % phones.length],
      company: ["Acme", "Globex", "Initech"][name.length % 3],
      jobTitle: "Designer",
      businessArea: "Education",
      termsAccepted: true,
    },
  });
  return person;
}

/**
 * Creates an organisation with playlists, bought on the sandbox's card page. The given number of items are real videos,
 * which keep the server busy for a while; the others are embedded.
 */
export async function seed(server: Server, videos = 3): Promise<Seeded> {
  const owner = await signIn(server, `alexandra-${randomUUID().slice(0, 6)}@northwind.example.com`, "Alexandra Konstantinou");
  const api = new Caller(server, owner.token);
  const account = await api.call<{ uid: string }>("POST", "/v1/accounts", {
    account: {
      friendlyName: "Northwind Media",
      billingName: "Northwind Ltd",
      billingEmail: owner.email,
      billingPhone: "+44 20 7946 0958",
      billingAddress: null,
      type: "business",
    },
  });
  const checkout = await api.call<{ sessionId: string }>("POST", `/v1/accounts/${account.uid}/checkout`, {
    planId: "professional-annual",
  });
  await api.call("POST", `/sandbox/api/checkouts/${checkout.sessionId}`, { outcome: "pay" });
  const org = await bought(api, account.uid);
  const uids: string[] = [];
  const bytes = await readFile(resolve(media, "phone.mp4"));
  const titles = ["Q3 market outlook", "How to read a yield curve", "Interview: Maya Roy", "Roadmap 2027"];
  for (const [index, title] of titles.entries()) {
    const video = { bytes, name: "phone.mp4", type: "video/mp4", title };
    uids.push(index < videos ? await send(api, org, video) : await embed(api, org, title));
  }
  const playlists: string[] = [];
  for (const [title, description, items] of [
    ["Market briefings", "A short film every quarter, for everybody who decides.", uids.slice(0, 3)],
    ["Getting started", "The first ten minutes with us.", uids.slice(1, 4)],
    ["Safety basics", "What everybody on the floor has to know.", uids.slice(0, 1)],
  ] as const) {
    const playlist = { title, description, privacy: "public", items };
    playlists.push((await api.call<{ uid: string }>("POST", "/v1/playlists", { playlist, orgId: org })).uid);
  }
  await api.call("PATCH", `/v1/organizations/${org}`, {
    organisation: {
      privacy: "public",
      description: "Clear films about money and markets.",
      pinnedPlaylists: playlists.slice(0, 2),
    },
  });
  const { joinUrl } = await api.call<{ joinUrl: string }>("POST", `/v1/organizations/${org}/joinUrl`, {});
  return { owner, org, playlists, items: uids, joinUrl };
}

async function bought(api: Caller, account: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const provisions = await api.call<{ data: { active: boolean; orgId: string }[] }>(
      "GET",
      `/v1/accounts/${account}/provisions`,
    );
    const active = provisions.data.find((provision) => provision.active);
    if (active) return active.orgId;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error("the purchase never became active");
}

/** A file to send, and the title of its content. */
interface Sending {
  bytes: Buffer<ArrayBuffer>;
  name: string;
  type: string;
  title: string;
}

/** Uploads a file like the portal; returns the uid of the content. */
export async function send(api: Caller, orgId: string, { bytes, name, type, title }: Sending): Promise<string> {
  const checksum = createHash("md5").update(bytes).digest("base64");
  const made = await api.call<{ uid: string; ingest: { url: string } }>("POST", "/v1/content", {
    content: { title, privacy: "public" },
    orgId,
    file: { name, size: bytes.length, type, checksum, lastModified: 0 },
    notifyUsers: false,
  });
  const put = await fetch(made.ingest.url, { method: "PUT", headers: { "content-type": type }, body: bytes });
  if (!put.ok) throw new Error(`PUT: ${put.status} ${await put.text()}`);
  return made.uid;
}

/** Creates an embedded video; returns the uid of the content. */
export async function embed(api: Caller, orgId: string, title: string): Promise<string> {
  const made = await api.call<{ uid: string }>("POST", "/v1/content", {
    content: { title, privacy: "public", url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" },
    orgId,
    file: null,
    notifyUsers: false,
  });
  return made.uid;
}

/** A person who joins and consents. */
export async function join(server: Server, seeded: Seeded, email: string, name: string): Promise<Person> {
  const person = await signIn(server, email, name);
  await consent(server, person, seeded);
  return person;
}

/** A person joins an organisation and consents. */
export async function consent(server: Server, person: Person, { joinUrl }: { joinUrl: string }): Promise<void> {
  const path = `/v1/join/${new URL(joinUrl).pathname.split("/").at(-1)}`;
  const api = new Caller(server, person.token);
  const { notice } = await api.call<{ notice: { version: string } }>("GET", path);
  await api.call("POST", path, { consent: true, noticeVersion: notice.version });
}

/** Advances the sandbox clock, to allow a history of watch time. */
export async function pass(server: Server, minutes: number): Promise<void> {
  await new Caller(server).call("POST", "/sandbox/api/clock", { advanceDays: minutes / 1440 });
}
