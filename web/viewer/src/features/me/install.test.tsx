import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepInstallOffer } from '~/shared/lib/install-offer.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { joined, server } from '~/shared/testing/server.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('Me', () => {
  it('installs the app when the browser offers it, once', async () => {
    signIn();
    keepInstallOffer();
    openApp('/org/north/me');
    await screen.findByRole('heading', { name: 'Me' });
    expect(screen.queryByRole('button', { name: 'Install the app' })).toBeNull();
    const prompt = vi.fn(() => Promise.resolve());
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
    act(() => void window.dispatchEvent(offer));
    expect(offer.defaultPrevented).toBe(true);
    await userEvent.click(await screen.findByRole('button', { name: 'Install the app' }));
    expect(prompt).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Install the app' })).toBeNull());
  });

  it('says how an iPhone installs the app, but not to the installed app', async () => {
    signIn();
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
    const standalone = { value: false, configurable: true, writable: true };
    const device = Object.defineProperty(navigator, 'standalone', standalone) as Navigator & { standalone: boolean };
    const { client } = openApp('/org/north/me');
    expect(await screen.findByText('In Safari, tap Share, then “Add to Home Screen”.')).toBeVisible();
    device.standalone = true;
    server.use(
      http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [joined({ name: 'Northern Lights' })] })),
    );
    await client.invalidateQueries();
    await waitFor(() => expect(screen.queryByText(/Add to Home Screen/)).toBeNull());
    Reflect.deleteProperty(navigator, 'standalone');
  });
});
