/** A searchable choice of one of the long lists. */
import { Select } from '@mantine/core';

interface ChoiceSelectProps {
  label: string;
  options: readonly string[];
  value: string;
  onChange: (value: string) => void;
}

/** Empty means not told. */
export function ChoiceSelect({ label, options, value, onChange }: ChoiceSelectProps) {
  return (
    <Select
      label={label}
      placeholder="Choose one"
      data={options.includes(value) || value === '' ? options : [value, ...options]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      searchable
      clearable
      nothingFoundMessage="Nothing found"
      maxDropdownHeight={260}
    />
  );
}
