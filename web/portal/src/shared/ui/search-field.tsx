/** A field to search by title: the list is asked a moment after the last key. */
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { commonTexts } from '../lib/texts.ts';

/** Quiet time after the last key before the server is asked, in milliseconds. */
const TYPING_MS = 250;

interface SearchFieldProps {
  /** What the list is narrowed to, as in the address. */
  value: string;
  /** Gets what was typed, without spaces around it. */
  onSearch: (text: string) => void;
  label: string;
  className?: string | undefined;
}

export function SearchField({ value, onSearch, label, className }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [asked, setAsked] = useState(value);
  const [before, setBefore] = useState(value);
  const ask = useDebouncedCallback((text: string) => {
    setAsked(text);
    onSearch(text);
  }, TYPING_MS);
  // Somebody went back to another search.
  if (value !== before) {
    setBefore(value);
    if (value !== asked) {
      setAsked(value);
      setTyped(value);
    }
  }
  return (
    <TextInput
      type="search"
      className={className ?? ''}
      aria-label={label}
      placeholder={commonTexts.searchByTitle}
      leftSection={<IconSearch size={16} stroke={1.7} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        ask(event.currentTarget.value.trim());
      }}
    />
  );
}
