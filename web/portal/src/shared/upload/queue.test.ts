/** The queue, with uploads replaced by promises the test settles. */
import { ApiProblem } from '@vitrine/api';
import { beforeEach, expect, test, vi } from 'vitest';
import { AT_ONCE, UploadQueue } from './queue.ts';
import { type Begun, readUpload, upload } from './upload.ts';

vi.mock('./upload.ts', async (original) => ({ ...(await original<object>()), upload: vi.fn(), readUpload: vi.fn() }));

type Request = Parameters<typeof upload>[0];
interface Running extends Request {
  settle: (error?: Error) => void;
}

let running: Running[] = [];
const begun = (uid: string): Begun => ({ uid, ingest: 'http://x/v1/ingest/t', checksum: 'md5', address: null });
const file = (name: string, size = 3) => new File(['x'.repeat(size)], name, { lastModified: 7 });
const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  running = [];
  vi.mocked(upload).mockReset();
  vi.mocked(readUpload).mockReset();
  vi.mocked(readUpload).mockResolvedValue({ uid: 'u', status: 'pending' });
  vi.mocked(upload).mockImplementation(
    (request) =>
      new Promise((resolve, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
        running.push({
          ...request,
          settle: (error) => (error ? reject(error) : resolve({ uid: `uid-${request.file.name}`, status: 'pending' })),
        });
      }),
  );
});

function setUp(owner = 'ada') {
  const signedIn = { person: owner };
  const work = {
    person: () => signedIn.person,
    create: vi.fn(),
    finish: vi.fn(async () => undefined),
    discard: vi.fn(async () => undefined),
    report: vi.fn(),
  };
  const queue = new UploadQueue<string>(work);
  const steps = () => queue.snapshot().map(({ name, state }) => `${name} ${state.step}`);
  const id = (name: string) => queue.snapshot().find((entry) => entry.name === name)?.id ?? '';
  return { work, queue, steps, id, signedIn, ready: queue.belongTo(owner) };
}

const job = (name: string) => ({ file: file(name), job: 'playlist' });

test('two files upload at a time, and the next one follows', async () => {
  const { work, queue, steps, ready } = setUp();
  await ready;
  queue.add([job('a'), job('b'), job('c')]);
  expect(steps()).toEqual(['a working', 'b working', 'c queued']);
  expect(running).toHaveLength(AT_ONCE);
  running[0]?.settle();
  await settled();
  expect(steps()).toEqual(['a done', 'b working', 'c working']);
  expect(work.finish).toHaveBeenCalledExactlyOnceWith('playlist', 'uid-a');
});

test('leaving the page warns only while an upload is active', async () => {
  const { queue, ready } = setUp();
  await ready;
  const warned = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(warned()).toBe(false);
  queue.add([job('a')]);
  expect(warned()).toBe(true);
  running[0]?.settle();
  await settled();
  expect(warned()).toBe(false);
});

test('a cancelled upload is stopped and deleted; one that arrived stays', async () => {
  const { work, queue, steps, id, ready } = setUp();
  await ready;
  queue.add([job('a'), job('b')]);
  running[0]?.onBegun?.(begun('uid-a'));
  queue.cancel(id('a'));
  expect(running[0]?.signal.aborted).toBe(true);
  expect(work.discard).toHaveBeenCalledExactlyOnceWith('playlist', begun('uid-a'));
  running[1]?.onBegun?.(begun('uid-b'));
  running[1]?.settle();
  await settled();
  queue.cancel(id('b'));
  expect(work.discard).toHaveBeenCalledOnce();
  expect(steps()).toEqual([]);
});

test('an upload created after it was cancelled is deleted at once', async () => {
  const { work, queue, id, ready } = setUp();
  await ready;
  queue.add([job('a')]);
  queue.cancel(id('a'));
  expect(work.discard).not.toHaveBeenCalled();
  running[0]?.onBegun?.(begun('uid-a'));
  expect(work.discard).toHaveBeenCalledExactlyOnceWith('playlist', begun('uid-a'));
  expect(queue.snapshot()).toEqual([]);
});

test('a lost connection keeps the upload for a retry, a refusal creates a new one', async () => {
  const { work, queue, id, ready } = setUp();
  await ready;
  queue.add([job('a')]);
  running[0]?.onBegun?.(begun('uid-a'));
  running[0]?.settle(ApiProblem.network());
  await settled();
  expect(queue.snapshot()[0]?.state).toEqual({ step: 'failed', message: 'Something went wrong. Try again later!' });
  queue.retry(id('a'));
  expect(running[1]?.begun).toEqual(begun('uid-a'));
  running[1]?.settle(new ApiProblem(410, 'Too late', 'gone'));
  await settled();
  expect(work.discard).toHaveBeenCalledExactlyOnceWith('playlist', begun('uid-a'));
  queue.retry(id('a'));
  expect(running[2]?.begun).toBeNull();
});

test('only the follow-up is retried', async () => {
  const { work, queue, steps, id, ready } = setUp();
  await ready;
  work.finish.mockRejectedValueOnce(new Error('no'));
  queue.add([job('a')]);
  running[0]?.settle();
  await settled();
  expect(steps()).toEqual(['a unfinished']);
  queue.retry(id('a'));
  await settled();
  expect(steps()).toEqual(['a done']);
  expect(running).toHaveLength(1);
});

test('after a reload an upload waits for its file and resumes; a different file is refused', async () => {
  const before = setUp();
  await before.ready;
  before.queue.add([job('a'), job('b')]);
  const known = { ...begun('uid-a'), address: 'http://x/v1/uploads/tus/1' };
  running[0]?.onBegun?.(known);
  running[1]?.settle();
  await settled();

  const after = setUp();
  await after.ready;
  expect(after.steps()).toEqual(['a missing']);
  after.queue.give(after.id('a'), file('a', 4));
  expect(after.queue.snapshot()[0]?.state).toEqual({
    step: 'missing',
    message: 'This is a different file. Choose the one you started uploading.',
  });
  after.queue.give(after.id('a'), file('a'));
  expect(running.at(-1)?.begun).toEqual(known);
  running.at(-1)?.settle();
  await settled();

  const later = setUp();
  await later.ready;
  expect(later.steps()).toEqual([]);
});

test('another person at the same browser does not see it, and signing out stops it', async () => {
  const ada = setUp();
  await ada.ready;
  ada.queue.add([job('a')]);
  const bob = setUp('bob');
  await bob.ready;
  expect(bob.steps()).toEqual([]);
  ada.signedIn.person = '';
  await ada.queue.belongTo('');
  expect(ada.steps()).toEqual([]);
  expect(running[0]?.signal.aborted).toBe(true);
});

test('an upload older than a day is dropped', async () => {
  const before = setUp();
  await before.ready;
  before.queue.add([job('a')]);
  vi.useFakeTimers({ now: Date.now() + 25 * 3600 * 1000, toFake: ['Date'] });
  const after = setUp();
  await after.ready;
  vi.useRealTimers();
  expect(after.steps()).toEqual([]);
});

test('what may have arrived is never taken back: a busy server, a failing server, a file that is there', async () => {
  const { work, queue, id, ready } = setUp();
  await ready;
  queue.add([job('a')]);
  running[0]?.onBegun?.(begun('uid-a'));
  const errors = [
    new ApiProblem(429, 'Later', 'too_many', {}, 900),
    new ApiProblem(503, 'Down'),
    new ApiProblem(401, 'Sign in'),
    new ApiProblem(409, 'This file has already been uploaded.', 'already_available'),
    new ApiProblem(500, 'Still checking', 'upload'),
  ];
  for (const [index, error] of errors.entries()) {
    running[index]?.settle(error);
    await settled();
    queue.retry(id('a'));
    expect(running[index + 1]?.begun).toEqual(begun('uid-a'));
  }
  expect(work.discard).not.toHaveBeenCalled();
});

test('the follow-up waits for a busy server automatically', async () => {
  const { work, queue, ready } = setUp();
  await ready;
  work.finish.mockRejectedValueOnce(new ApiProblem(429, 'Later', 'too_many', {}, 1));
  queue.add([job('a')]);
  const before = Date.now();
  running[0]?.settle();
  await settled();
  const state = queue.snapshot()[0]?.state;
  expect(state?.step).toBe('finishing');
  expect(state?.step === 'finishing' && state.until).toBeGreaterThanOrEqual(before + 1000);
  await expect.poll(() => queue.snapshot()[0]?.state.step).toBe('done');
  expect(work.report).toHaveBeenCalledExactlyOnceWith('playlist', 'done');
});

test('a reload keeps the order in which files were added, whichever was updated last', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1000);
  const before = setUp();
  await before.ready;
  before.queue.add([job('a'), job('b'), job('c')]);
  before.queue.add([job('d')]);
  clock.mockReturnValue(2000);
  running[1]?.onBegun?.(begun('uid-b'));
  running[0]?.onBegun?.(begun('uid-a'));
  const after = setUp();
  await after.ready;
  clock.mockRestore();
  expect(after.steps()).toEqual(['a missing', 'b missing', 'c missing', 'd missing']);
});

test('a reload while the file was checked: what arrived is finished without it', async () => {
  const before = setUp();
  await before.ready;
  before.queue.add([job('a'), job('b'), job('c')]);
  running[0]?.onBegun?.(begun('uid-a'));
  running[1]?.onBegun?.(begun('uid-b'));
  vi.mocked(readUpload).mockImplementation(async (uid) => ({
    uid,
    status: uid === 'uid-a' ? 'available' : 'rejected',
  }));
  const after = setUp();
  await after.ready;
  expect(after.steps()).toEqual(['a done', 'b missing', 'c missing']);
  expect(after.work.finish).toHaveBeenCalledExactlyOnceWith('playlist', 'uid-a');
  after.queue.give(after.id('b'), file('b'));
  expect(running.at(-1)).toMatchObject({ begun: null });
  expect(after.work.discard).not.toHaveBeenCalled();
  const later = setUp();
  await later.ready;
  expect(later.steps().sort()).toEqual(['b missing', 'c missing']);
});

test('a reload before what follows was done resumes it', async () => {
  const before = setUp();
  await before.ready;
  before.work.finish.mockReturnValue(new Promise(() => undefined));
  before.queue.add([job('a')]);
  running[0]?.onBegun?.(begun('uid-a'));
  running[0]?.settle();
  await settled();
  vi.mocked(readUpload).mockResolvedValue({ uid: 'uid-a', status: 'available' });
  const after = setUp();
  await after.ready;
  expect(after.steps()).toEqual(['a done']);
  expect(after.work.finish).toHaveBeenCalledExactlyOnceWith('playlist', 'uid-a');
});

test('no call is made once another person is signed in, and nothing of the first one is shown', async () => {
  const { work, queue, steps, signedIn, ready } = setUp();
  await ready;
  queue.add([job('a'), job('b')]);
  running[0]?.onBegun?.(begun('uid-a'));
  // Another tab has signed in Bob, and this one does not know yet.
  signedIn.person = 'bob';
  running[0]?.settle();
  await expect(running[1]?.create({} as never)).rejects.toThrow('Another person is signed in.');
  await settled();
  expect(work.create).not.toHaveBeenCalled();
  expect(work.finish).not.toHaveBeenCalled();
  expect(work.discard).not.toHaveBeenCalled();
  expect(work.report).not.toHaveBeenCalled();
  expect(steps()).toEqual([]);
  expect(running[1]?.signal.aborted).toBe(true);
});
