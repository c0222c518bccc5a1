import { render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { closePlayer, keptPlayer, onKeptPlayer, type Played } from './kept-player.ts';
import { PlayerPlace } from './player-place.tsx';

const played = (): Played => ({
  orgId: 'north',
  playlistId: 'one',
  itemId: 'song',
  props: { src: '/media/g/source', kind: 'audio', title: 'The song' },
});

afterEach(closePlayer);

it('changes the player once when it is shown, and again with each render of its page', () => {
  const changed = vi.fn();
  const stop = onKeptPlayer(changed);
  const { rerender } = render(<PlayerPlace played={played()} fresh={false} />);
  expect(changed).toHaveBeenCalledOnce();
  const next = played();
  rerender(<PlayerPlace played={{ ...next, props: { ...next.props, title: 'Another' } }} fresh={false} />);
  expect(changed).toHaveBeenCalledTimes(2);
  expect(keptPlayer()?.props.title).toBe('Another');
  stop();
});
