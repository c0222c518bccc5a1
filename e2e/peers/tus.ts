// tus with an independent client: npm tus-js-client, the reference client, over an unreliable connection.
import { createServer, type IncomingMessage, request, type Server as HttpServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Upload } from "tus-js-client";

/** How a connection is cut: for both ends, or unnoticed by the server. */
export type Cut = "both" | "silently";

/** A proxy to the server that cuts the connection after the given numbers of body bytes, each in its own way. */
export class BadLine {
  /** Number of cuts. */
  cuts = 0;
  /** Body bytes passed through. */
  passed = 0;
  private readonly server: HttpServer;

  private constructor(
    private readonly target: URL,
    private readonly plan: { after: number; how: Cut }[],
  ) {
    this.server = createServer((incoming, outgoing) => this.pass(incoming, outgoing));
  }

  static async to(target: string, plan: { after: number; how: Cut }[]): Promise<BadLine> {
    const line = new BadLine(new URL(target), [...plan]);
    await new Promise<void>((done) => line.server.listen(0, "127.0.0.1", done));
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { hostname, port, host, origin } = this.target;
    const onward = request({
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, host },
      agent: false,
    });
    onward.on("response", (answer) => {
      const headers = { ...answer.headers };
      if (headers.location) headers.location = headers.location.replace(origin, this.url);
      outgoing.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.on("data", (chunk: Buffer) => {
      this.passed += chunk.length;
      const next = this.plan[0];
      if (next && this.passed >= next.after) {
        this.plan.shift();
        this.cuts += 1;
        if (next.how === "both") onward.destroy();
        incoming.removeAllListeners("data");
        incoming.socket.destroy();
        return;
      }
      if (!onward.write(chunk)) {
        incoming.pause();
        onward.once("drain", () => incoming.resume());
      }
    });
    incoming.on("end", () => onward.end());
  }
}

/** The result of an upload. */
export interface TusResult {
  /** The tus URL of the upload. */
  url: string;
  /** Number of retries by the client. */
  retries: number;
}

/** Sends bytes to the ingest address like the portal. */
export function send(
  endpoint: string,
  ingest: string,
  bytes: Buffer,
  options: { chunkSize?: number; progress?: (sent: number) => void } = {},
): Promise<TusResult> {
  return new Promise((done, fail) => {
    let retries = 0;
    const upload = new Upload(bytes, {
      endpoint: `${endpoint}/v1/uploads/tus`,
      metadata: { ingest, filename: "film.bin" },
      uploadSize: bytes.length,
      chunkSize: options.chunkSize ?? Number.POSITIVE_INFINITY,
      // The server may take a while to start again.
      retryDelays: [0, 200, 500, 1000, 2000, 3000, 5000, 10_000],
      onShouldRetry: () => {
        retries += 1;
        return true;
      },
      onProgress: (sent) => options.progress?.(sent),
      onError: fail,
      onSuccess: () => done({ url: upload.url ?? "", retries }),
    });
    upload.start();
  });
}
