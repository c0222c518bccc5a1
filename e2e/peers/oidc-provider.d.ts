// The part of the package's API the peers use; it ships no types.
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export interface Context {
    oidc: {
      client: { clientId: string };
      session: { accountId: string };
      params: { scope: string };
      provider: Provider;
    };
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Client: { prototype: { compareClientSecret: (secret: string) => Promise<boolean> } };
    readonly Grant: new (of: {
      accountId: string;
      clientId: string;
    }) => Grant;
    on(event: "grant.error" | "server_error", listener: (ctx: Context, error: Error) => void): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
