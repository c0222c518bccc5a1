/** The two tabs of the content screen: exactly one is current. */
import { screen, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, server } from '~/shared/testing/server.ts';

test.each([
  ['', 'Playlists'],
  ['?sort=title&search=talks', 'Playlists'],
  ['?tab=all', 'All content'],
  ['?tab=all&search=talks', 'All content'],
])('the URL %s shows one tab as current', async (search, current) => {
  server.use(
    http.get('*/v1/playlists', () => list([])),
    http.get('*/v1/content', () => list([])),
  );
  renderAt(`/org/${ORG}/playlists${search}`);
  const views = await screen.findByRole('navigation', { name: 'Content sections' });
  const marked = within(views)
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page');
  expect(marked.map(({ textContent }) => textContent)).toEqual([current]);
});
