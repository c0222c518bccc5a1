/** The tooltip of an icon in the collapsed sidebar. */
import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';

export function RailTip({ label, children }: { label: string; children: ReactElement }) {
  return (
    <Tooltip label={label} position="right">
      {children}
    </Tooltip>
  );
}
