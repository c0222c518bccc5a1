import { fireEvent, screen } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { content } from '~/shared/testing/content.ts';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { problem, server } from '~/shared/testing/server.ts';
import { CaptionsSection } from './parts/captions-section.tsx';

const video = content('c', 'Film', {
  kind: 'video',
  captions: [{ language: 'en', label: 'English', url: 'http://127.0.0.1:8080/media/g/captions-en.vtt' }],
});

/** Records every captions call. */
function kept() {
  const sent: unknown[] = [];
  server.use(
    http.put('*/v1/content/:id/captions/:language', async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      sent.push([pathname.replace('/v1/', '') + search, request.headers.get('Content-Type'), await request.text()]);
      return Response.json(video);
    }),
    http.delete('*/v1/content/:id/captions/:language', ({ params }) => {
      sent.push(['delete', params.language]);
      return new Response(null, { status: 204 });
    }),
  );
  return sent;
}

const choose = (file: File) => fireEvent.change(screen.getByLabelText('Captions file'), { target: { files: [file] } });

test('stored captions can be downloaded, named after item and language, and deleted', async () => {
  const sent = kept();
  const { user } = renderPart(<CaptionsSection content={video} />);
  const link = screen.getByRole('link', { name: 'Download English captions' });
  expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual([video.captions[0]?.url, 'Film.en.vtt']);
  await user.click(screen.getByRole('button', { name: 'Delete English captions' }));
  await expect.poll(() => sent).toEqual([['delete', 'en']]);
});

test('without a language no file is asked for', async () => {
  const sent = kept();
  const { user } = renderPart(<CaptionsSection content={video} />);
  await user.click(screen.getByRole('button', { name: 'Add captions' }));
  expect(screen.getByText('Enter a language first.')).toBeVisible();
  await user.type(screen.getByLabelText('Language'), 'de');
  await user.click(screen.getByRole('button', { name: 'Add captions' }));
  expect(screen.queryByText('Enter a language first.')).toBeNull();
  expect(sent).toEqual([]);
});

test.each([
  ['plain.vtt', 'WEBVTT', 'text/vtt'],
  ['OLD.SRT', '1', 'application/x-subrip'],
])('%s is sent as it is, with its own type, under its language and label', async (name, text, type) => {
  const sent = kept();
  const { user } = renderPart(<CaptionsSection content={video} />);
  await user.type(screen.getByLabelText('Language'), ' pt-BR ');
  await user.type(screen.getByLabelText('Label'), 'Português');
  choose(new File([text], name));
  const address = `content/c/captions/pt-BR?label=${encodeURIComponent('Português')}`;
  await expect.poll(() => sent).toEqual([[address, type, text]]);
  await expect.poll(() => screen.getByLabelText('Language')).toHaveValue('');
  expect(screen.getByLabelText('Label')).toHaveValue('');
});

test('without a label the server names the language', async () => {
  const sent = kept();
  const { user } = renderPart(<CaptionsSection content={video} />);
  await user.type(screen.getByLabelText('Language'), 'fr');
  choose(new File(['WEBVTT'], 'a.vtt'));
  await expect.poll(() => sent).toEqual([['content/c/captions/fr', 'text/vtt', 'WEBVTT']]);
});

test('a refused file shows why, and the input stays', async () => {
  server.use(http.put('*/v1/content/:id/captions/:language', () => problem(400, 'The times in line 3 are invalid.')));
  const { user } = renderPart(<CaptionsSection content={video} />);
  await user.type(screen.getByLabelText('Language'), 'fr');
  choose(new File(['x'], 'a.vtt'));
  expect(await screen.findByRole('alert')).toHaveTextContent('The times in line 3 are invalid.');
  expect(screen.getByLabelText('Language')).toHaveValue('fr');
});

test('captions that could not be deleted stay, with the reason', async () => {
  server.use(
    http.delete('*/v1/content/:id/captions/:language', () => problem(403, 'You do not have permission to do this.')),
  );
  const { user } = renderPart(<CaptionsSection content={video} />);
  await user.click(screen.getByRole('button', { name: 'Delete English captions' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('You do not have permission to do this.');
  expect(screen.getByRole('link', { name: 'Download English captions' })).toBeVisible();
});
