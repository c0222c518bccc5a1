/** The playlist select: one call, and search on the server. */
import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { list, ORG, playlist, server } from '~/shared/testing/server.ts';
import { PlaylistSelect } from './parts/playlist-select.tsx';

const all = Array.from({ length: 200 }, (_, index) => playlist(`p${index}`, `List number ${index}`));

/** Pages and searches like the server; records queries. */
function serving() {
  const asked: string[] = [];
  server.use(
    http.get('*/v1/playlists', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.toString());
      const found = all.filter(({ title }) => title.includes(searchParams.get('search') ?? ''));
      return list(found.slice(0, Number(searchParams.get('limit') ?? 20)));
    }),
  );
  return asked;
}

function Form() {
  const [value, setValue] = useState<string | null>('p199');
  return (
    <>
      <PlaylistSelect orgId={ORG} current={playlist('p199', 'List number 199')} value={value} onChange={setValue} />
      <output>{value}</output>
    </>
  );
}

test('an open select makes one call, and says how to find more', async () => {
  const asked = serving();
  const { user } = renderPart(<Form />);
  const field = screen.getByRole('combobox', { name: 'Playlist' });
  await user.click(field);
  await waitFor(() => expect(screen.getAllByRole('option', { hidden: true })).toHaveLength(52));
  expect(screen.getByText('Type to find more')).toBeInTheDocument();
  expect(asked).toEqual([`orgId=${ORG}&limit=50`]);
});

test('other playlists are found by title, and the title stays in the field', async () => {
  serving();
  const { user } = renderPart(<Form />);
  const field = screen.getByRole('combobox', { name: 'Playlist' });
  expect(field).toHaveValue('List number 199');
  await user.clear(field);
  await user.type(field, 'number 17');
  await user.click(await screen.findByRole('option', { name: 'List number 177', hidden: true }));
  expect(field).toHaveValue('List number 177');
  expect(screen.getByRole('status')).toHaveTextContent('p177');
});
