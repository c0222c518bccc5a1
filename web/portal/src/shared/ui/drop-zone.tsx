/** A place to drop a file, or to choose one. */
import { Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, useId, useState } from 'react';
import classes from './drop-zone.module.css';

interface DropZoneProps {
  label: string;
  hint?: string;
  accept?: string;
  onFile: (file: File) => void;
}

/** One file at a time; the first one of a dropped set is taken. */
export function DropZone({ label, hint, accept, onFile }: DropZoneProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <label
      htmlFor={id}
      className={classes.zone}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconUpload size={28} stroke={1.5} aria-hidden />
      <Text fw={550} fz="md">
        {label}
      </Text>
      {hint !== undefined && (
        <Text c="dimmed" fz="xs">
          {hint}
        </Text>
      )}
      <input
        id={id}
        type="file"
        data-autofocus
        accept={accept}
        className={classes.input}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
