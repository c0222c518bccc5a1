// Starts the real program on a free port with its own data folder.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The program the journeys run against; configurable. */
const program = process.env["VITRINE_PROGRAM"] ?? resolve(import.meta.dirname, "../../target/debug/vitrine");

async function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === "object" ? done(address.port) : fail(new Error("no port"))));
    });
  });
}

export class Server {
  private process: ChildProcess | undefined;
  private log = "";

  private constructor(
    readonly url: string,
    private readonly port: number,
    private readonly folder: string,
    private readonly settings: Record<string, string | undefined>,
  ) {}

  static async start(settings: Record<string, string | undefined> = {}): Promise<Server> {
    const server = await Server.create(settings);
    await server.launch();
    return server;
  }

  /** Fills the data folder with `vitrine demo`, then starts. */
  static async demo(size: "small" | "large" = "small"): Promise<Server> {
    const server = await Server.create({});
    const filling = server.run("demo", "--size", size);
    filling.stderr.pipe(process.stderr);
    const code = await new Promise((done) => filling.once("exit", done));
    if (code !== 0) throw new Error(`the demo ended with ${code}`);
    await server.launch();
    return server;
  }

  private static async create(settings: Record<string, string | undefined>): Promise<Server> {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), "vitrine-e2e-"));
    return new Server(`http://127.0.0.1:${port}`, port, folder, settings);
  }

  private run(...command: string[]): ChildProcessWithoutNullStreams {
    return spawn(program, command, {
      env: {
        PATH: process.env["PATH"],
        HOME: this.folder,
        VITRINE_SANDBOX: "true",
        VITRINE_LISTEN: `127.0.0.1:${this.port}`,
        VITRINE_DATA_DIR: this.folder,
        VITRINE_METRICS_LISTEN: "",
        VITRINE_API_REQUESTS_PER_10S: "0",
        VITRINE_SIGN_IN_TRIES_PER_MINUTE: "0",
        // Takes less processor time than the default; no journey looks at the quality.
        VITRINE_MEDIA_RENDER_PRESET: "ultrafast",
        ...this.settings,
      },
      cwd: this.folder,
    });
  }

  /** Starts the process on the same data; resolves when it listens. */
  async launch(): Promise<void> {
    const child = this.run("serve");
    this.process = child;
    await new Promise<void>((done, fail) => {
      const wait = setTimeout(() => fail(new Error(`the server did not start:\n${this.log}`)), 30_000);
      child.stderr.on("data", (chunk: Buffer) => {
        this.log += chunk.toString();
      });
      child.stdout.on("data", (chunk: Buffer) => {
        this.log += chunk.toString();
        if (chunk.toString().includes("listening on")) {
          clearTimeout(wait);
          done();
        }
      });
      child.once("exit", (code) => {
        clearTimeout(wait);
        fail(new Error(`the server ended with ${code}:\n${this.log}`));
      });
    });
  }

  /** Kills the process without warning, like a power cut. */
  async kill(): Promise<void> {
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    // Tools that are just being killed may still write.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  logs(): string {
    return this.log;
  }

  /** Waits for the newest email to an address, other than those with the ids `known`, and returns its links. */
  async mailLinks(to: string, known: readonly string[] = []): Promise<string[]> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const newest = (await this.mails(to)).find(({ uid }) => !known.includes(uid));
      if (newest) return newest.links;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`no mail to ${to}\n${this.log}`);
  }

  /** Waits for an email with a link to this path, other than those with the ids `known`, and returns the link. */
  async mailedLink(to: string, path: string, known: readonly string[] = []): Promise<string> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const links = (await this.mails(to)).filter(({ uid }) => !known.includes(uid)).flatMap((mail) => mail.links);
      const link = links.find((one) => new URL(one).pathname === path);
      if (link !== undefined) return link;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`no mail to ${to} with a link to ${path}\n${this.log}`);
  }

  /** Returns the emails to an address, newest first. */
  async mails(to: string): Promise<{ uid: string; links: string[] }[]> {
    const answer = await fetch(`${this.url}/sandbox/api/mails?to=${encodeURIComponent(to)}`);
    return ((await answer.json()) as { data: { uid: string; links: string[] }[] }).data;
  }
}
