// People who watch, for journeys about numbers and leads: they join, and report what a player would report.
import { randomUUID } from "node:crypto";
import { Caller, join, type Person, type Seeded } from "./seed.ts";
import type { Server } from "./server.ts";

type Event = Record<string, unknown>;

/** Sign-ins at the same time. */
const TOGETHER = 8;

/** Lets this many people join and agree; returns them by number, from 001. */
export async function crowd(server: Server, seeded: Seeded, amount: number): Promise<Person[]> {
  const people: Person[] = [];
  let next = 0;
  const one = async () => {
    while (next < amount) {
      next += 1;
      const number = String(next).padStart(3, "0");
      people.push(await join(server, seeded, `guest-${number}@crowd.example.com`, `Guest Number${number}`));
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, one));
  return people.toSorted((a, b) => a.email.localeCompare(b.email));
}

/** The time on the clock of the sandbox. */
export async function clock(server: Server): Promise<number> {
  return Date.parse((await new Caller(server).call<{ now: string }>("GET", "/sandbox/api/clock")).now);
}

export function report(server: Server, orgId: string, { token }: Person, events: Event[]): Promise<unknown> {
  return new Caller(server, token).call("POST", "/v1/events", { orgId, events });
}

const interaction = (kind: string, time: number, about: Event = {}): Event => ({
  kind,
  id: randomUUID(),
  time: new Date(time).toISOString(),
  ...about,
});

/** The app was opened. */
export const visit = (time: number): Event => interaction("visit", time);

/** The contact of a playlist was opened. */
export const contact = (time: number, playlistId: string): Event => interaction("contact", time, { playlistId });

/** Beats of a view that began at `time`, of the first `watched` seconds of an item that is `seconds` long. */
export function view(time: number, contentId: string, playlistId: string, [watched, seconds]: [number, number]): Event[] {
  const viewId = randomUUID();
  const every = 10;
  return Array.from({ length: Math.ceil(watched / every) + 1 }, (_, seq) => {
    const [from, to] = [Math.max(0, seq - 1) * every, Math.min(watched, seq * every)];
    const state = to === watched ? "ended" : "playing";
    const about = { viewId, seq, contentId, playlistId, from: from * 1000, to: to * 1000, rate: 1, state };
    return interaction("beat", time + to * 1000, { ...about, duration: seconds * 1000 });
  });
}
