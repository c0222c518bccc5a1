import { cleanup, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { joined, server } from '~/shared/testing/server.ts';

it('has the brand as it is now when the window is used again, without losing the screen', async () => {
  signIn();
  openApp('/org/north/me');
  const consent = await screen.findByRole('switch', { name: 'Share what I watch' });
  const renamed = joined({ name: 'Northern Lights' });
  server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [renamed] })));
  await waitFor(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    expect(screen.getAllByText('Northern Lights')).not.toHaveLength(0);
  });
  expect(consent).toBeInTheDocument();
});

it('links the manifest and the icon of the organisation only while it is open', async () => {
  const href = (kind: string) => document.head.querySelector(`link[rel="${kind}"]`)?.getAttribute('href');
  const icon = document.head.appendChild(document.createElement('link'));
  icon.rel = 'apple-touch-icon';
  icon.setAttribute('href', '/app/icon-192.png');
  signIn();
  const own = joined({
    manifestUrl: 'https://v.test/v1/install/t/manifest.webmanifest',
    appIconUrl: 'https://v.test/i.png',
  });
  server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [own] })));
  openApp('/org/north/me');
  await screen.findByRole('switch', { name: 'Share what I watch' });
  expect(href('manifest')).toBe(own.manifestUrl);
  expect(href('apple-touch-icon')).toBe(own.appIconUrl);
  cleanup();
  expect(href('manifest')).toBeUndefined();
  expect(href('apple-touch-icon')).toBe('/app/icon-192.png');
});
