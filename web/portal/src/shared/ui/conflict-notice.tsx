/** Two people edited the same thing; what the second one typed is still there. */
import { Alert } from '@mantine/core';
import { statusOf } from '@vitrine/api';
import { commonTexts } from '../lib/texts.ts';

/** Whether a save was refused because somebody else was quicker (G-81). */
export function isConflict(error: unknown): boolean {
  return statusOf(error) === 409;
}

/** The save button's words; after they were told, people's own words win. */
export function saveWords(conflict: boolean): string {
  return conflict ? commonTexts.saveAnyway : commonTexts.save;
}

export function ConflictNotice({ title }: { title: string }) {
  return (
    <Alert color="yellow" role="alert" title={title}>
      {commonTexts.saveAnywayHint}
    </Alert>
  );
}
