import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Breakable } from './breakable.tsx';

test('an address may wrap after its @ and its dots, and stays one text', () => {
  const { container } = render(<Breakable text="ada.b@north.example" />);
  expect(container.innerHTML).toBe('ada.<wbr>b@<wbr>north.<wbr>example');
  expect(container).toHaveTextContent('ada.b@north.example');
});

test('other texts are left alone', () => {
  expect(render(<Breakable text="Northwind Ltd. of Oslo" />).container.innerHTML).toBe('Northwind Ltd. of Oslo');
});
