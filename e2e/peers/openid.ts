// Google and Apple played by an independent implementation: npm oidc-provider, a certified OpenID provider. Each has its
// own port on localhost, so that browsers treat it as a different site than the server on 127.0.0.1.
// It cannot send Apple's `user` field; the sandbox's issuer and the identity crate's tests cover that.
import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CryptoKey, exportJWK, exportPKCS8, generateKeyPair, type JWK, jwtVerify } from "jose";
import Provider, { type Context, type Grant } from "oidc-provider";

export type Kind = "google" | "apple";

/** What the provider knows about a person with this address. */
interface Account {
  verified: boolean;
  firstName: string;
  lastName: string;
}

const clientId = { google: "portal.apps.example.com", apple: "com.example.portal" } as const;
const teamId = "TEAM123456";
const keyId = "KEY1234567";
const scopes = { google: ["openid", "email", "profile"], apple: ["openid", "email", "name"] } as const;

export class Peer {
  /** The authorization queries received, oldest first. */
  readonly asked: URLSearchParams[] = [];
  /** The requested paths, oldest first. */
  readonly read: string[] = [];
  /** Why code exchanges failed, oldest first. */
  readonly refused: string[] = [];
  /** Whether the pages sever the opener, as Google's do. */
  cutsOpener = false;
  /** Modifies a client's request before the provider reads it. */
  bend: (query: URLSearchParams) => void = () => undefined;

  private readonly accounts = new Map<string, Account>();
  private readonly callbacks: string[] = [];
  private readonly clientSecret = randomUUID();
  private keys: JWK[] = [];
  private answer: ReturnType<Provider["callback"]> | undefined;

  private constructor(
    readonly kind: Kind,
    readonly issuer: string,
    private readonly http: HttpServer,
    private readonly folder: string,
    private readonly teamKey: CryptoKey,
  ) {}

  static async start(kind: Kind): Promise<Peer> {
    const http = createServer((request, response) => peer.take(request, response));
    await new Promise<void>((done) => http.listen(0, "localhost", done));
    const folder = await mkdtemp(join(tmpdir(), "vitrine-peer-"));
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    await writeFile(join(folder, "AuthKey.p8"), await exportPKCS8(privateKey), { mode: 0o600 });
    const issuer = `http://localhost:${(http.address() as AddressInfo).port}`;
    const peer = new Peer(kind, issuer, http, folder, publicKey);
    await peer.rotate();
    return peer;
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((done) => this.http.close(done));
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The server settings for this provider. */
  settings(): Record<string, string> {
    const own =
      this.kind === "google"
        ? { CLIENT_SECRET: this.clientSecret }
        : { TEAM_ID: teamId, KEY_ID: keyId, KEY_FILE: join(this.folder, "AuthKey.p8") };
    const all = { ISSUER: this.issuer, CLIENT_ID: clientId[this.kind], ...own };
    const prefix = `VITRINE_OIDC_${this.kind.toUpperCase()}_`;
    return Object.fromEntries(Object.entries(all).map(([name, value]) => [prefix + name, value]));
  }

  /** Registers the server at this address as a client. */
  admit(url: string): void {
    this.callbacks.push(`${url}/v1/auth/oidc/${this.kind}/callback`);
    this.answer = undefined;
  }

  /** Sets the claims for this address; other addresses have only a verified email. */
  knows(email: string, account: Partial<Account>): void {
    this.accounts.set(email, { ...this.account(email), ...account });
  }

  /** Restarts with new keys at the same address. */
  async rotate(): Promise<void> {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    this.keys = [{ ...(await exportJWK(privateKey)), kid: randomUUID(), alg: "RS256", use: "sig" }];
    this.answer = undefined;
  }

  private account(email: string): Account {
    return this.accounts.get(email) ?? { verified: true, firstName: "", lastName: "" };
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.issuer);
    if (url.pathname === "/auth") {
      this.asked.push(new URLSearchParams(url.searchParams));
      this.bend(url.searchParams);
      request.url = url.pathname + url.search;
    }
    if (this.cutsOpener) response.setHeader("cross-origin-opener-policy", "same-origin");
    this.read.push(url.pathname);
    this.answer ??= quietly(() => this.provider().callback());
    this.answer(request, response);
  }

  private provider(): Provider {
    const provider = new Provider(this.issuer, this.configuration());
    if (this.kind === "apple") {
      const { teamKey, issuer } = this;
      // Apple's client secret is a token signed by the team.
      provider.Client.prototype.compareClientSecret = (secret: string) => isSignedByTeam(secret, teamKey, issuer);
    }
    const refused = (_: Context, error: Error) => this.refused.push(error.message);
    provider.on("grant.error", refused);
    provider.on("server_error", refused);
    return provider;
  }

  private configuration() {
    const secret = this.kind === "google" ? this.clientSecret : "never compared";
    return {
      clients: [
        {
          client_id: clientId[this.kind],
          client_secret: secret,
          redirect_uris: this.callbacks.length > 0 ? this.callbacks : [`${this.issuer}/unused`],
          response_types: ["code"],
          grant_types: ["authorization_code"],
          token_endpoint_auth_method: "client_secret_post",
        },
      ],
      jwks: { keys: this.keys },
      scopes: [...scopes[this.kind]],
      claims: {
        openid: ["sub"],
        email: ["email", "email_verified"],
        profile: ["name", "given_name", "family_name"],
      },
      // Both put the claims into the ID token.
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      // Two providers on one host must not share cookies.
      cookies: { keys: [randomUUID()], names: cookieNames(this.kind) },
      features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: false } },
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3600, IdToken: 600, Interaction: 600, Session: 3600 },
      findAccount: (_: unknown, email: string) => ({ accountId: email, claims: () => this.claims(email) }),
      loadExistingGrant: consent,
    };
  }

  private claims(email: string): Record<string, unknown> {
    const { verified, firstName, lastName } = this.account(email);
    const sub = createHash("sha256").update(`${this.kind} ${email}`).digest("hex").slice(0, 21);
    // Apple sends it as a string, and no name here.
    if (this.kind === "apple") return { sub, email, email_verified: String(verified) };
    const name = `${firstName} ${lastName}`.trim();
    const named = name === "" ? {} : { name, given_name: firstName, family_name: lastName };
    return { sub, email, email_verified: verified, ...named };
  }
}

/** Grants every requested scope. */
async function consent({ oidc: { client, session, provider, params } }: Context): Promise<Grant> {
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope(params.scope);
  await grant.save();
  return grant;
}

async function isSignedByTeam(secret: string, key: CryptoKey, issuer: string): Promise<boolean> {
  try {
    const { protectedHeader } = await jwtVerify(secret, key, {
      algorithms: ["ES256"],
      issuer: teamId,
      subject: clientId.apple,
      audience: issuer,
      requiredClaims: ["exp", "iat"],
      maxTokenAge: "180d",
    });
    return protectedHeader.kid === keyId;
  } catch {
    return false;
  }
}

function cookieNames(kind: Kind) {
  return { interaction: `${kind}_interaction`, resume: `${kind}_resume`, session: `${kind}_session` };
}

/** Silences the package's warnings about development mode and in-memory storage, which are intended. */
function quietly<T>(make: () => T): T {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return make();
  } finally {
    console.warn = warn;
  }
}
