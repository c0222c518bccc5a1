import { act, fireEvent, render, screen } from '@testing-library/react';
import { lazy } from 'react';
import { expect, test } from 'vitest';
import { MenuWithTarget, useOpened } from './menu-with-target.tsx';

type Part = { default: (props: { wanted: boolean }) => React.JSX.Element };

function Late({ wanted }: { wanted: boolean }) {
  return <button type="button">{useOpened(wanted).opened ? 'Open' : 'Late'}</button>;
}

/** Renders the button alone, and returns it with a function that loads the menu. */
function early() {
  let arrive = (_: Part) => {};
  const Menu = lazy(() => new Promise<Part>((resolve) => (arrive = resolve)));
  render(
    <MenuWithTarget
      target={(onPress) => (
        <button type="button" onClick={onPress}>
          Early
        </button>
      )}
      menu={(wanted) => <Menu wanted={wanted} />}
    />,
  );
  return {
    button: screen.getByRole('button', { name: 'Early' }),
    load: () => act(async () => arrive({ default: Late })),
  };
}

test('the button keeps the focus when its menu has loaded', async () => {
  const { button, load } = early();
  button.focus();
  await load();
  expect(await screen.findByRole('button', { name: 'Late' })).toHaveFocus();
});

test('a press that was given up does not open the menu', async () => {
  const { button, load } = early();
  fireEvent.mouseDown(button);
  fireEvent.mouseLeave(button);
  await load();
  expect(await screen.findByRole('button', { name: 'Late' })).toBeVisible();
});

test.each([
  ['mouse', (button: HTMLElement) => fireEvent.mouseDown(button)],
  ['space bar', (button: HTMLElement) => fireEvent.keyDown(button, { key: ' ' })],
])('a press of the %s that was begun before the menu loaded opens it', async (_, press) => {
  const { button, load } = early();
  press(button);
  await load();
  expect(await screen.findByRole('button', { name: 'Open' })).toBeVisible();
});
