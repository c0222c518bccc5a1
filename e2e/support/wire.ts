// A proxy between browsers and a server that can be cut and restored.
import { type AddressInfo, connect, createServer, type Server as Listener, type Socket } from "node:net";

export class CuttableWire {
  private readonly ends = new Set<Socket>();
  private readonly listener: Listener;
  private port = 0;
  private whole = true;
  private lost = "";

  private constructor() {
    this.listener = createServer((near) => this.join(near));
  }

  /** Creates a proxy without a target. */
  static async lay(): Promise<CuttableWire> {
    const wire = new CuttableWire();
    await new Promise<void>((done) => wire.listener.listen(0, "127.0.0.1", done));
    return wire;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
  }

  /** The target. */
  to(address: string): void {
    this.port = Number(new URL(address).port);
  }

  /** Closes every connection and refuses new ones. */
  cut(): void {
    this.whole = false;
    for (const end of this.ends) end.destroy();
  }

  mend(): void {
    this.whole = true;
  }

  /** Drops the next response to a matching request: the server handles it, but the browser gets no response. */
  loseAnswerTo(request: string): void {
    this.lost = request;
  }

  /** Whether that response has been dropped. */
  get hasLost(): boolean {
    return this.lost === "";
  }

  remove(): void {
    this.cut();
    this.listener.close();
  }

  private join(near: Socket): void {
    if (!this.whole) return void near.destroy();
    const far = connect(this.port, "127.0.0.1");
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.ends.add(end);
      end.setNoDelay(true);
      end.on("error", () => other.destroy());
      end.on("close", () => {
        this.ends.delete(end);
        other.destroy();
      });
    }
    near.on("data", (bytes: Buffer) => {
      if (this.lost === "" || !bytes.includes(this.lost)) return;
      far.unpipe(near);
      far.once("data", () => {
        this.lost = "";
        near.destroy();
      });
      far.resume();
    });
    near.pipe(far);
    far.pipe(near);
  }
}
