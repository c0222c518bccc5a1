/** No form can be submitted while its image is uploading. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test, vi } from 'vitest';
import { AddContentWizard } from '~/features/content/parts/add-content-wizard.tsx';
import { EditContentModal } from '~/features/content/parts/edit-content-modal.tsx';
import { AddPlaylistWizard } from '~/features/playlists/parts/add-playlist-wizard.tsx';
import { UserProfileForm } from '~/features/profile/parts/user-profile-form.tsx';
import { video } from '~/shared/testing/content.ts';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { ORG, problem, profile, server } from '~/shared/testing/server.ts';

vi.mock('~/shared/upload/hash.ts', () => ({ hashFile: async () => 'md5' }));
vi.mock('~/shared/ui/image-cropper.tsx', () => import('~/shared/testing/image-cropper.tsx'));

const nothing = async () => undefined;
const editContent = (
  <EditContentModal
    content={video('v', 'Clip')}
    playlistField={null}
    deleteWarning=""
    onDelete={nothing}
    onSaved={nothing}
    onClose={nothing}
  />
);

test.each([
  ['the profile', 'Photo', '1:1', 'Save', <UserProfileForm key="p" profile={profile} />],
  ['content', 'Thumbnail', '2:1', 'Save', editContent],
  [
    'new content',
    'Thumbnail',
    '2:1',
    'Next',
    <AddContentWizard key="c" source="url" orgId={ORG} playlistId="p" onClose={nothing} />,
  ],
  ['a new playlist', 'Thumbnail', '2:1', 'Next', <AddPlaylistWizard key="l" orgId={ORG} onClose={nothing} />],
])('%s: the image is cropped to its shape, and waited for', async (name, label, shape, word, form) => {
  let fail: () => void = () => undefined;
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  server.use(
    http.post('*/v1/uploads', async () => {
      await failed;
      return problem(400, 'File type is not supported.');
    }),
  );
  const { user } = renderPart(form);
  if (name === 'new content') {
    await user.type(await screen.findByRole('textbox'), 'https://vimeo.com/1');
    await user.click(screen.getByRole('button', { name: 'Next' }));
  }
  const image = new File(['x'], 'a.png', { type: 'image/png' });
  fireEvent.change(await screen.findByLabelText(label), { target: { files: [image] } });
  const crop = within(await screen.findByRole('dialog', { name: `Crop ${label.toLowerCase()}` }));
  expect(crop.getByText(shape)).toBeVisible();
  await user.click(crop.getByRole('button', { name: 'Use image' }));
  expect(await screen.findByRole('button', { name: 'Waiting for the image' })).toBeDisabled();
  fail();
  await waitFor(() => expect(screen.getByRole('button', { name: word })).toBeEnabled());
});
