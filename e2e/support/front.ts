// A small web server in front of the real one: it serves a build of the portal from a folder that can be swapped while it
// runs, like a deploy, and proxies everything else to the real server.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server as HttpServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { Server } from "./server.ts";

const passedOn = /^\/(v1|app|media|images|sandbox|\.well-known|openapi\.json|pricing|healthz|readyz)(?:[/?]|$)/;

const kinds: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

export class Front {
  /** Paths of the requested documents, newest last. */
  readonly documents: string[] = [];

  private constructor(
    readonly url: string,
    private readonly http: HttpServer,
    private folder: string,
    private server: Server | undefined,
    private headers: Record<string, string>,
  ) {}

  /** Starts it with this build, and the real server behind it with the same public address. */
  static async start(folder: string): Promise<{ front: Front; server: Server }> {
    const http = createServer((asked, answer) => void front.answer(asked, answer));
    await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const front = new Front(url, http, folder, undefined, {});
    const server = await Server.start({ VITRINE_PUBLIC_URL: url, VITRINE_BILLING: "none" });
    front.server = server;
    const page = await fetch(`${server.url}/healthz`, { headers: { accept: "text/html" } });
    for (const name of ["content-security-policy", "cross-origin-opener-policy", "x-content-type-options"]) {
      const value = page.headers.get(name);
      if (value !== null) front.headers[name] = value;
    }
    // The journey's API calls use the public address too.
    return { front, server: Object.create(server, { url: { value: url } }) as Server };
  }

  /** Deploys another build. */
  deploy(folder: string): void {
    this.folder = folder;
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((done) => this.http.close(done));
    await this.server?.stop();
  }

  private async answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = asked.url ?? "/";
    if (passedOn.test(path)) return this.pass(asked, answer);
    const bare = normalize(decodeURIComponent(path.split("?")[0]!));
    const file = await readFile(join(this.folder, bare)).catch(() => null);
    const isAsset = bare.startsWith("/assets/") || /\.(js|css)$/.test(bare);
    if (file === null && isAsset) {
      answer.writeHead(404, { "content-type": "application/json" }).end('{"status":404,"message":"Not found"}');
      return;
    }
    if (file === null) this.documents.push(path);
    answer
      .writeHead(200, {
        ...this.headers,
        "content-type": kinds[file === null ? ".html" : extname(bare)] ?? "application/octet-stream",
        "cache-control": bare.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      })
      .end(file ?? (await readFile(join(this.folder, "index.html"))));
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { hostname, port } = new URL(this.server!.url);
    const onward = request(
      { hostname, port, path: asked.url, method: asked.method, headers: asked.headers },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      },
    );
    onward.once("error", () => answer.writeHead(502).end());
    asked.pipe(onward);
  }
}
