/** A searchable select for long option lists. */
import { Select } from '@mantine/core';
import { profileTexts } from '../texts.ts';

interface ChoiceSelectProps {
  label: string;
  options: readonly string[];
  value: string;
  onChange: (value: string) => void;
}

/** An empty value means no answer. */
export function ChoiceSelect({ label, options, value, onChange }: ChoiceSelectProps) {
  return (
    <Select
      label={label}
      placeholder={profileTexts.chooseOne}
      data={options.includes(value) || value === '' ? options : [value, ...options]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      searchable
      clearable
      nothingFoundMessage={profileTexts.nothingFound}
      maxDropdownHeight={260}
    />
  );
}
