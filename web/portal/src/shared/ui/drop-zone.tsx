/** A zone to drop or choose one or more files. */
import { Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, useId, useState } from 'react';
import classes from './drop-zone.module.css';

interface FilesZoneProps {
  label: string;
  hint: string;
  onFiles: (files: File[]) => void;
}

export function FilesZone({ label, hint, onFiles }: FilesZoneProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => {
    if (files !== null && files.length > 0) onFiles([...files]);
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
      <Text c="dimmed" fz="xs">
        {hint}
      </Text>
      <input
        id={id}
        type="file"
        multiple
        data-autofocus
        className={classes.input}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
