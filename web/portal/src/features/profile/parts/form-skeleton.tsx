/** A form while its values are loading. */
import { Group, Skeleton, Stack } from '@mantine/core';
import steady from '~/shared/ui/steady-form.module.css';

type Row = 'photo' | 'pair' | 'field' | 'check';

/** Rows have the height of the final fields and button, so that nothing shifts. */
export function FormSkeleton({ rows }: { rows: readonly Row[] }) {
  return (
    <div className={steady.form} aria-busy="true">
      {rows.map((row, index) => (
        <FormRow key={`${row}${index.toString()}`} row={row} />
      ))}
      <Group justify="flex-end">
        <Skeleton height={36} width={104} />
      </Group>
    </div>
  );
}

function FormRow({ row }: { row: Row }) {
  if (row === 'pair') {
    return (
      <div className={steady.columns}>
        <Field />
        <Field />
      </div>
    );
  }
  if (row === 'check') return <Skeleton height={20} width={240} mb={24} />;
  if (row === 'photo') return <Skeleton height={76} width={76} mt={26} mb={24} />;
  return <Field />;
}

function Field() {
  return (
    <Stack gap={4} pb={24}>
      <Skeleton height={14} width={88} my={4} />
      <Skeleton height={36} />
    </Stack>
  );
}
