// A proxy between the payment client and the stand-in for Stripe that keeps what passes, and listens for webhooks.
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A call of the payment client. */
export interface Exchange {
  method: string;
  /** Below `/v1/`, without the query. */
  path: string;
  /** The form of the body or of the query, as sent. */
  form: [string, string][];
  /** The value of the `Stripe-Version` header. */
  version: string;
  status: number;
  answer: unknown;
}

/** A webhook as it was delivered. */
export interface Delivery {
  signature: string;
  body: string;
}

async function read(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export class StripeRecorder {
  readonly exchanges: Exchange[] = [];
  readonly deliveries: Delivery[] = [];
  private target = "";
  private readonly listener: Server;

  private constructor() {
    this.listener = createServer((request, response) => {
      const handled = request.url === "/webhook" ? this.take(request) : this.forward(request);
      handled.then(
        ({ status, body }) => response.writeHead(status, { "content-type": "application/json" }).end(body),
        (error: unknown) => response.writeHead(502).end(String(error)),
      );
    });
  }

  static async start(): Promise<StripeRecorder> {
    const recorder = new StripeRecorder();
    await new Promise<void>((done) => recorder.listener.listen(0, "127.0.0.1", done));
    return recorder;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
  }

  /** Sets the address of the server whose stand-in answers. */
  to(server: string): void {
    this.target = server;
  }

  stop(): void {
    this.listener.close();
    this.listener.closeAllConnections();
  }

  private async take(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const body = await read(request);
    this.deliveries.push({ signature: String(request.headers["stripe-signature"]), body });
    return { status: 200, body: "{}" };
  }

  private async forward(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const sent = await read(request);
    const { method = "GET", url = "/", headers } = request;
    const passed = ["authorization", "content-type", "idempotency-key", "stripe-version"];
    const answer = await fetch(`${this.target}/sandbox/stripe${url}`, {
      method,
      headers: passed.flatMap((name): [string, string][] => (headers[name] ? [[name, String(headers[name])]] : [])),
      ...(method === "POST" ? { body: sent } : {}),
    });
    const body = await answer.text();
    const { pathname, search } = new URL(url, this.target);
    this.exchanges.push({
      method,
      path: pathname.replace("/v1/", ""),
      form: [...new URLSearchParams(method === "POST" ? sent : search)],
      version: String(headers["stripe-version"]),
      status: answer.status,
      answer: JSON.parse(body),
    });
    return { status: answer.status, body };
  }
}
