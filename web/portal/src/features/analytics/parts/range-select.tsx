/** The date range of a report; it is part of the URL. */
import { Select } from '@mantine/core';
import { ranges } from '../model.ts';
import type { Range } from '../ranges.ts';
import { analyticsTexts } from '../texts.ts';

export function RangeSelect({ value, onChange }: { value: Range; onChange: (range: string | null) => void }) {
  return (
    <Select
      aria-label={analyticsTexts.dateRange}
      w={170}
      data={ranges}
      value={value}
      allowDeselect={false}
      onChange={onChange}
    />
  );
}
