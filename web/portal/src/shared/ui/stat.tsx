/** One labeled figure. */
import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Surface } from './surface.tsx';

interface StatProps {
  label: string;
  /** The figure; undefined while loading. */
  value: string | undefined;
  hint?: ReactNode;
}

/** A figure card that keeps its height while loading. */
export function Stat({ label, value, hint }: StatProps) {
  return (
    <Surface>
      <Text c="dimmed" fz="sm">
        {label}
      </Text>
      {value === undefined ? (
        <Skeleton height={28} width={96} my={7} />
      ) : (
        <Text className="figure" fz="clamp(20px, 5.2vw, 28px)" fw={600} lh="42px">
          {value}
        </Text>
      )}
      {hint !== undefined && (
        <Text c="dimmed" fz="xs" component="div">
          {hint}
        </Text>
      )}
    </Surface>
  );
}
