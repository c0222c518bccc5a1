/** A debounced search field. */
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { commonTexts } from '../lib/texts.ts';

/** Debounce delay, in milliseconds. */
const TYPING_MS = 250;

interface SearchFieldProps {
  /** The current search, as in the URL. */
  value: string;
  /** Receives the trimmed input. */
  onSearch: (text: string) => void;
  label: string;
  /** What can be searched for; titles by default. */
  placeholder?: string;
  className?: string | undefined;
}

export function SearchField({ value, onSearch, label, placeholder, className }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [asked, setAsked] = useState(value);
  const [before, setBefore] = useState(value);
  const ask = useDebouncedCallback((text: string) => {
    setAsked(text);
    onSearch(text);
  }, TYPING_MS);
  // The URL changed to another search, for example by going back.
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
      placeholder={placeholder ?? commonTexts.searchByTitle}
      leftSection={<IconSearch size={16} stroke={1.7} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        ask(event.currentTarget.value.trim());
      }}
    />
  );
}
