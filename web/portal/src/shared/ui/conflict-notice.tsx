/** Shown when two people edited the same thing; the second person's input is kept. */
import { Alert } from '@mantine/core';
import { statusOf } from '@vitrine/api';
import { commonTexts } from '../lib/texts.ts';

/** Returns whether a save was refused because another person saved first. */
export function isConflict(error: unknown): boolean {
  return statusOf(error) === 409;
}

/** Returns the save button's label; after a conflict, saving overwrites the other change. */
export function saveWords(conflict: boolean): string {
  return conflict ? commonTexts.saveAnyway : commonTexts.save;
}

interface ConflictNoticeProps {
  title: string;
  /** What saving anyway does, if it does not replace the whole. */
  hint?: string;
}

export function ConflictNotice({ title, hint = commonTexts.saveAnywayHint }: ConflictNoticeProps) {
  return (
    <Alert color="yellow" role="alert" title={title}>
      {hint}
    </Alert>
  );
}
