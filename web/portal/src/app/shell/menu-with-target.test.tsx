import { act, render, screen } from '@testing-library/react';
import { lazy } from 'react';
import { expect, test } from 'vitest';
import { MenuWithTarget } from './menu-with-target.tsx';

test('the button keeps the focus when its menu has loaded', async () => {
  let arrive = (_: { default: () => React.JSX.Element }) => {};
  const Menu = lazy(() => new Promise<{ default: () => React.JSX.Element }>((resolve) => (arrive = resolve)));
  render(
    <MenuWithTarget
      target={(onPress) => (
        <button type="button" onClick={onPress}>
          Early
        </button>
      )}
      menu={() => <Menu />}
    />,
  );
  screen.getByRole('button', { name: 'Early' }).focus();
  await act(async () => arrive({ default: () => <button type="button">Late</button> }));
  expect(await screen.findByRole('button', { name: 'Late' })).toHaveFocus();
});
