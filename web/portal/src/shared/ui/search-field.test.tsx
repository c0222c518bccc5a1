import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { SearchField } from './search-field.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

function search() {
  const onSearch = vi.fn();
  const field = (value: string) => <SearchField label="Search" value={value} onSearch={onSearch} />;
  const { show } = renderPart(field(''));
  const type = (text: string) => fireEvent.change(screen.getByLabelText('Search'), { target: { value: text } });
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
  return { onSearch, type, pass, to: (value: string) => show(field(value)) };
}

const shown = () => screen.getByLabelText<HTMLInputElement>('Search').value;

test('the search runs once, after the last key, with trimmed input', () => {
  const { onSearch, type, pass } = search();
  type('to');
  pass(200);
  type('tour ');
  pass(249);
  expect(onSearch).not.toHaveBeenCalled();
  pass(1);
  expect(onSearch).toHaveBeenCalledExactlyOnceWith('tour');
});

test('an older search does not overwrite what is being typed', () => {
  const { type, pass, to } = search();
  type('to');
  pass(250);
  type('tour ');
  to('to');
  expect(shown()).toBe('tour ');
});

test('going back and forth shows the current search', () => {
  const { type, pass, to } = search();
  type('tour');
  pass(250);
  to('tour');
  to('');
  expect(shown()).toBe('');
  to('tour');
  expect(shown()).toBe('tour');
});
