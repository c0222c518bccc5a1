/** /user-profile: the form and the photo. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ProfileOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { problem, profile, server } from '~/shared/testing/server.ts';
import { displayNameOf, nameOf, patchOf } from './model.ts';

vi.mock('~/shared/upload/hash.ts', () => ({ hashFile: async () => 'rL0Y20zC+Fzt72VPzMSk2A==' }));
vi.mock('~/shared/ui/image-cropper.tsx', () => import('~/shared/testing/image-cropper.tsx'));
vi.mock('~/shared/upload/put.ts', () => ({ putFile: async () => undefined }));

type ProfileChange = { user: Record<string, unknown> };

/** The stored profile; a save returns what was sent. */
function holding(fields: Partial<ProfileOut> = {}) {
  const sent: ProfileChange[] = [];
  let stored = { ...profile, ...fields };
  server.use(
    http.get('*/v1/profiles', () => HttpResponse.json(stored)),
    http.patch('*/v1/profiles', async ({ request }) => {
      const body = (await request.json()) as ProfileChange;
      sent.push(body);
      stored = { ...stored, ...body.user };
      return HttpResponse.json(stored);
    }),
  );
  return sent;
}

/** Accepts images; the response to the first call waits until released. */
function acceptingImages(status: 'available' | 'rejected' = 'available') {
  let letGo: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const ingest = { url: 'http://127.0.0.1:8080/v1/ingest/t', path: '/images/new.webp' };
  server.use(
    http.post('*/v1/uploads', async () => {
      await waiting;
      return HttpResponse.json({ uid: 'u', status: 'pending', ingest });
    }),
    http.get('*/v1/uploads/u', () => HttpResponse.json({ uid: 'u', status })),
  );
  return () => letGo();
}

const image = (size = 3, type = 'image/png') => new File([new Uint8Array(size)], 'me.png', { type });
const choose = (file: File) =>
  fireEvent.change(screen.getByLabelText('Photo', { selector: 'input' }), { target: { files: [file] } });
/** Uses the chosen image as it is cropped. */
const crop = async () => fireEvent.click(await screen.findByRole('button', { name: 'Use image' }));
const shown = () => document.querySelector<HTMLImageElement>('main img')?.src;
const saved = async (sent: ProfileChange[], times = 1) => {
  await waitFor(() => expect(sent).toHaveLength(times));
  return sent[times - 1]?.user;
};

describe('the form', () => {
  test('sends its fields and the display name, no photo, and confirms', async () => {
    const sent = holding({ jobTitle: 'Designer', businessArea: 'Education' });
    const { user } = renderAt('/user-profile');
    const first = await screen.findByLabelText('First name');
    await user.clear(first);
    await user.type(first, 'Augusta');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Profile updated successfully')).toBeVisible();
    expect(await saved(sent)).toEqual({
      firstName: 'Augusta',
      lastName: 'Byron',
      company: 'Northwind',
      jobTitle: 'Designer',
      businessArea: 'Education',
      phoneNumber: '+44 20 7946 0123',
      displayName: 'Augusta Byron',
    });
    // The sidebar shows the new name at once.
    expect(screen.getByRole('button', { name: /^Augusta Byron, Northwind/ })).toBeVisible();
  });

  test('messages appear after touching, each with its trailing space; both selects may stay empty', async () => {
    const sent = holding({ firstName: '', lastName: '', company: '', phoneNumber: '' });
    const { user } = renderAt('/user-profile');
    await screen.findByLabelText('First name');
    const texts = () =>
      [...document.querySelectorAll('.mantine-InputWrapper-error')].map((message) => message.textContent);
    expect(texts()).toEqual([]);
    await user.click(screen.getByLabelText('Company'));
    await user.tab();
    expect(texts()).toEqual(['Company name is required ']);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(texts()).toEqual([
      'First name is required ',
      'Last name is required ',
      'Phone number is required ',
      'Company name is required ',
    ]);
    expect(screen.getByLabelText('First name')).toHaveFocus();
    for (const label of ['First name', 'Last name', 'Phone number', 'Company']) {
      await user.type(screen.getByLabelText(label), 'x');
    }
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await saved(sent)).toMatchObject({ jobTitle: '', businessArea: '' });
  });

  test('a spinner shows while saving; a refusal shows its message and keeps the input', async () => {
    holding();
    let refuse: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    server.use(
      http.patch('*/v1/profiles', async () => {
        await waiting;
        return problem(500, 'The disk is full.');
      }),
    );
    const { user } = renderAt('/user-profile');
    const company = await screen.findByLabelText('Company');
    await user.type(company, ' Films');
    const save = screen.getByRole('button', { name: 'Save' });
    expect(save).not.toHaveAttribute('data-loading');
    await user.click(save);
    expect(save).toHaveAttribute('data-loading', 'true');
    refuse();
    expect(await screen.findByText('The disk is full.')).toBeVisible();
    expect(save).not.toHaveAttribute('data-loading');
    expect(company).toHaveValue('Northwind Films');
    expect(screen.queryByText('Profile updated successfully')).toBeNull();
  });

  test('the phone number is kept as typed, and its country shows once it can be parsed', async () => {
    const sent = holding({ phoneNumber: '020 7946 0123' });
    const { user } = renderAt('/user-profile');
    const phone = await screen.findByLabelText('Phone number');
    expect(phone).not.toHaveAccessibleDescription();
    await user.clear(phone);
    await user.type(phone, '+47 22 12 34 56 ');
    await waitFor(() => expect(phone).toHaveAccessibleDescription('Norway'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await saved(sent)).toMatchObject({ phoneNumber: '+47 22 12 34 56 ' });
  });

  test('the selects offer the full lists and can be cleared', async () => {
    const sent = holding({ jobTitle: 'Designer' });
    const { user } = renderAt('/user-profile');
    await user.click(await screen.findByRole('combobox', { name: 'Job title' }));
    expect(await screen.findAllByRole('option')).toHaveLength(58);
    // Choosing the selected option clears it.
    await user.click(screen.getByRole('option', { name: 'Designer' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await saved(sent)).toMatchObject({ jobTitle: '' });
  });
});

describe('the photo', () => {
  test('is shown while uploading, and saved once', async () => {
    const sent = holding();
    const letGo = acceptingImages();
    const { user } = renderAt('/user-profile');
    await screen.findByLabelText('First name');
    choose(image());
    await crop();
    expect(await screen.findByRole('status', { name: 'Uploading' })).toBeVisible();
    await waitFor(() => expect(shown()).toMatch(/^data:image\/png/));
    letGo();
    await waitFor(() => expect(shown()).toMatch(/\/images\/new\.webp$/));
    expect(screen.queryByRole('status', { name: 'Uploading' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await saved(sent))?.photoURL).toMatch(/^http.*\/images\/new\.webp$/);
    await screen.findByText('Profile updated successfully');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await saved(sent, 2)).not.toHaveProperty('photoURL');
  });

  test('can be removed', async () => {
    const sent = holding({ photoURL: 'http://127.0.0.1:8080/images/old.webp' });
    const { user } = renderAt('/user-profile');
    await user.click(await screen.findByRole('button', { name: 'Remove photo' }));
    expect(shown()).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await saved(sent)).toHaveProperty('photoURL', '');
  });

  test.each([
    ['an image over 5 MB', image(5_242_881), 'File size too large. Maximum file size should be within 5mb.'],
    ['another kind of file', image(3, 'application/pdf'), 'File type is not supported.'],
  ])('%s is refused before anything is sent', async (_what, file, message) => {
    holding();
    const posted = vi.fn(() => problem(500, 'never'));
    server.use(http.post('*/v1/uploads', posted));
    renderAt('/user-profile');
    await screen.findByLabelText('First name');
    choose(file);
    expect(await screen.findByText(message)).toBeVisible();
    expect(posted).not.toHaveBeenCalled();
  });

  test('over 2 MB is accepted with a warning', async () => {
    holding();
    acceptingImages()();
    renderAt('/user-profile');
    await screen.findByLabelText('First name');
    choose(image(2_097_153));
    await crop();
    expect(
      await screen.findByText(
        'File size exceeds threshold limit. Please upload file within 2mb for better experience.',
      ),
    ).toBeVisible();
    await waitFor(() => expect(shown()).toMatch(/\/images\/new\.webp$/));
  });

  test('an upload the server refuses shows its message, and the old photo again', async () => {
    const sent = holding({ photoURL: 'http://127.0.0.1:8080/images/old.webp' });
    server.use(http.post('*/v1/uploads', () => problem(413, 'The storage of your plan is full.')));
    const { user } = renderAt('/user-profile');
    await screen.findByLabelText('First name');
    choose(image());
    await crop();
    expect(await screen.findByText('The storage of your plan is full.')).toBeVisible();
    expect(shown()).toMatch(/old\.webp$/);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await saved(sent)).not.toHaveProperty('photoURL');
  });

  test('a rejected upload shows a general message; details are logged', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    holding();
    acceptingImages('rejected')();
    renderAt('/user-profile');
    await screen.findByLabelText('First name');
    choose(image());
    await crop();
    expect(await screen.findByText('Something went wrong. Try again later!')).toBeVisible();
    expect(screen.queryByText('Upload was rejected')).toBeNull();
    expect(log).toHaveBeenCalledWith('Upload was rejected', '');
    log.mockRestore();
  });
});

test('a name is joined by one space, and the email replaces a missing one', () => {
  expect(displayNameOf({ firstName: ' Ada ', lastName: 'Byron' })).toBe('Ada Byron');
  expect(displayNameOf({ firstName: 'Ada', lastName: '' })).toBe('Ada');
  expect(nameOf({ displayName: ' ', email: 'ada@example.com' })).toBe('ada@example.com');
});

test('a save contains the photo only if it changed', () => {
  const form = { firstName: 'A', lastName: 'B', company: 'C', jobTitle: '', businessArea: '', phoneNumber: '1' };
  expect(patchOf(form, null)).toEqual({ ...form, displayName: 'A B' });
  expect(patchOf(form, '')).toEqual({ ...form, displayName: 'A B', photoURL: '' });
});
