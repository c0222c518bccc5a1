import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { signIn } from '~/shared/testing/open-app.tsx';
import '~/shared/testing/server.ts';
import { FirstPage } from './first-page.tsx';

describe('the first page of a visit', () => {
  beforeEach(() => window.history.replaceState(null, '', '/app/join/good'));

  it('leads to sign-in, where the whole app starts', async () => {
    const whole = vi.fn(async () => undefined);
    render(<FirstPage code="good" onWholeApp={whole} onReload={vi.fn()} />);
    const entries = window.history.length;
    await userEvent.dblClick(await screen.findByRole('button', { name: 'Join' }));
    expect(window.history.length, 'one Back leads back here').toBe(entries + 1);
    expect(whole).toHaveBeenCalledOnce();
    expect(window.location.pathname + window.location.search).toBe('/app/sign-in?joinCode=good');
  });

  it('leads signed-in people to the question', async () => {
    signIn();
    render(<FirstPage code="good" onWholeApp={async () => undefined} onReload={vi.fn()} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Join' }));
    expect(window.location.pathname).toBe('/app/join/good/consent');
  });

  it('is loaded anew if the files of the app cannot be loaded', async () => {
    const reload = vi.fn();
    render(<FirstPage code="good" onWholeApp={() => Promise.reject(new Error('offline'))} onReload={reload} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Join' }));
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(window.location.pathname).toBe('/app/sign-in');
  });

  it('offers to load it anew if neither the link nor the app can be loaded', async () => {
    const reload = vi.fn();
    render(<FirstPage code="old" onWholeApp={() => Promise.reject(new Error('offline'))} onReload={reload} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(reload).toHaveBeenCalledOnce();
  });

  it('leaves a link that is not valid to the whole app', async () => {
    const whole = vi.fn(async () => undefined);
    render(<FirstPage code="old" onWholeApp={whole} onReload={vi.fn()} />);
    await waitFor(() => expect(whole).toHaveBeenCalledOnce());
  });
});
