import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventOutbox, oneTabAtATime, type SendOutcome } from './event-outbox.ts';
import { createEventStore, type KeyValueStore } from './event-store.ts';
import type { Interaction, ViewerEvent } from './events.ts';

const START = Date.parse('2026-11-20T06:41:00.000Z');

const interaction = (id: string, at = START): Interaction => ({ kind: 'visit', id, time: new Date(at).toISOString() });

function setUp(storage: KeyValueStore | null = localStorage) {
  const sent: { orgId: string; ids: string[] }[] = [];
  const state = { owner: 'ann' as string | null, answer: 'acknowledged' as SendOutcome | 'throws' | 'never' };
  const send = (orgId: string, events: ViewerEvent[]): Promise<SendOutcome> => {
    sent.push({ orgId, ids: events.map((event) => event.id) });
    if (state.answer === 'throws') return Promise.reject(new Error('no network'));
    if (state.answer === 'never') return new Promise(() => undefined);
    return Promise.resolve(state.answer);
  };
  const store = createEventStore(storage, 'events.');
  const make = () => new EventOutbox({ send, store, owner: () => state.owner, now: Date.now });
  return { sent, state, store, make, outbox: make() };
}

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('EventOutbox', () => {
  it('collects events briefly and sends them as one batch', async () => {
    const { outbox, sent, store } = setUp();
    outbox.add('org', interaction('a'));
    outbox.add('org', interaction('b'));
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(sent).toEqual([{ orgId: 'org', ids: ['a', 'b'] }]);
    expect(store.all()).toEqual([]);
  });

  it('sends an urgent event at once and never an acknowledged one again', async () => {
    const { outbox, sent } = setUp();
    outbox.add('org', interaction('a'), true);
    await vi.advanceTimersByTimeAsync(0);
    outbox.add('org', interaction('b'), true);
    await vi.advanceTimersByTimeAsync(60_000);
    await outbox.flush();
    expect(sent.map((batch) => batch.ids)).toEqual([['a'], ['b']]);
  });

  it('stops in the middle when another person signs in, and continues when the first is back', async () => {
    const { outbox, sent, state, store } = setUp();
    outbox.add('north', interaction('a'));
    outbox.add('south', interaction('b'));
    const flushed = outbox.flush();
    state.owner = 'bob';
    await flushed;
    expect(sent).toEqual([{ orgId: 'north', ids: ['a'] }]);
    state.owner = 'ann';
    await outbox.flush();
    expect(sent.at(-1)).toEqual({ orgId: 'south', ids: ['b'] });
    expect(store.all()).toEqual([]);
  });

  it('never sends a batch in flight a second time', async () => {
    const { outbox, sent, state } = setUp();
    state.answer = 'never';
    outbox.add('org', interaction('a'), true);
    await vi.advanceTimersByTimeAsync(0);
    outbox.leave();
    expect(sent).toHaveLength(1);
  });

  it('keeps what could not be sent and sends it again, waiting longer each time', async () => {
    const { outbox, sent, state } = setUp();
    state.answer = 'throws';
    outbox.add('org', interaction('a'), true);
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(9999);
    expect(sent).toHaveLength(2);
    state.answer = 'acknowledged';
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(sent).toHaveLength(3);
  });

  it('sends after a reload what an earlier page could not', async () => {
    const first = setUp();
    first.state.answer = 'unavailable';
    first.outbox.add('org', interaction('a'), true);
    await vi.advanceTimersByTimeAsync(0);
    const second = setUp();
    await second.outbox.flush();
    expect(second.sent).toEqual([{ orgId: 'org', ids: ['a'] }]);
  });

  it('drops what is older than 72 hours and what the server refuses for good', async () => {
    const { outbox, sent, state, store } = setUp();
    outbox.add('org', interaction('old', START - 72 * 3_600_000 - 1));
    outbox.add('org', interaction('late', START - 72 * 3_600_000 + 60_000));
    state.answer = 'refused';
    await outbox.flush();
    expect(sent.map((batch) => batch.ids)).toEqual([['late']]);
    expect(store.all()).toEqual([]);
  });

  it('sends at most a hundred at once, oldest first, one organisation a batch', async () => {
    const { outbox, sent } = setUp();
    for (let i = 0; i < 150; i += 1) outbox.add('one', interaction(`e${i}`, START - i));
    outbox.add('two', interaction('other'));
    await outbox.flush();
    expect(sent.map(({ orgId, ids }) => [orgId, ids.length, ids[0]])).toEqual([
      ['one', 100, 'e149'],
      ['one', 50, 'e49'],
      ['two', 1, 'other'],
    ]);
  });

  it('never sends the events of one person as those of another', async () => {
    const { outbox, sent, state } = setUp();
    outbox.add('org', interaction('a'));
    state.owner = 'bob';
    await outbox.flush();
    expect(sent).toEqual([]);
    state.owner = null;
    outbox.add('org', interaction('signed-out'));
    state.owner = 'ann';
    await outbox.flush();
    expect(sent.map((batch) => batch.ids)).toEqual([['a']]);
  });

  it('sends pending events on unload, without waiting', () => {
    const { outbox, sent } = setUp();
    outbox.add('org', interaction('a'));
    outbox.leave();
    expect(sent).toEqual([{ orgId: 'org', ids: ['a'] }]);
  });

  it('works from memory if storage is blocked, and skips unreadable entries', async () => {
    const closed = setUp(null);
    closed.outbox.add('org', interaction('a'));
    await closed.outbox.flush();
    expect(closed.sent).toHaveLength(1);
    localStorage.setItem('events.broken', '{');
    localStorage.setItem('events.foreign', '{"owner":1}');
    const open = setUp();
    await open.outbox.flush();
    expect(open.sent).toEqual([]);
  });
});

describe('oneTabAtATime', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const withLocks = (request: (name: string, options: { signal: AbortSignal }, work: () => unknown) => unknown) =>
    vi.stubGlobal('navigator', { locks: { request } });

  it('works under the lock', async () => {
    const names: string[] = [];
    withLocks((name, _options, work) => {
      names.push(name);
      return work();
    });
    const work = vi.fn(() => Promise.resolve());
    await oneTabAtATime('events')(work);
    expect(names).toEqual(['events']);
    expect(work).toHaveBeenCalledOnce();
  });

  it('works without the Web Locks API', async () => {
    vi.stubGlobal('navigator', {});
    const work = vi.fn(() => Promise.resolve());
    await oneTabAtATime('events')(work);
    expect(work).toHaveBeenCalledOnce();
  });

  it('does not wait forever for a tab that keeps the lock', async () => {
    const stop = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(stop.signal);
    withLocks(
      (_name, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('waited')))),
    );
    const work = vi.fn(() => Promise.resolve());
    const done = oneTabAtATime('events')(work);
    expect(work).not.toHaveBeenCalled();
    stop.abort();
    await done;
    expect(work).toHaveBeenCalledOnce();
  });
});
