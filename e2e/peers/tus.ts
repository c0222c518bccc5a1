// tus as somebody else understands it: npm tus-js-client, the protocol's own reference client, on a bad line.
import { createServer, type IncomingMessage, request, type Server as HttpServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Upload } from "tus-js-client";

/** How a line is cut: for both ends, or so that the server does not notice. */
export type Cut = "both" | "silently";

/** A line to the server that is cut after so many bytes of bodies, each time in its own way. */
export class BadLine {
  /** How often it was cut. */
  cuts = 0;
  /** Bytes of bodies that went through. */
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

/** What came of an upload. */
export interface Sent {
  /** The address of the resumable upload. */
  url: string;
  /** How often the client had to try again. */
  retries: number;
}

/** Sends bytes by the ingest address as the portal would. */
export function send(
  endpoint: string,
  ingest: string,
  bytes: Buffer,
  options: { chunkSize?: number; progress?: (sent: number) => void } = {},
): Promise<Sent> {
  return new Promise((done, fail) => {
    let retries = 0;
    const upload = new Upload(bytes, {
      endpoint: `${endpoint}/v1/uploads/tus`,
      metadata: { ingest, filename: "film.bin" },
      uploadSize: bytes.length,
      chunkSize: options.chunkSize ?? Number.POSITIVE_INFINITY,
      retryDelays: [0, 200, 500, 1000, 2000, 3000],
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
