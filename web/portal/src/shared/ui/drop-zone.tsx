/** A zone to drop or choose one or more files. */
import { Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useId } from 'react';
import { useDropzone } from 'react-dropzone';
import classes from './drop-zone.module.css';

interface FilesZoneProps {
  label: string;
  hint: string;
  onFiles: (files: File[]) => void;
}

/** The input covers the zone and takes the focus, so the browser itself opens the file dialog. */
export function FilesZone({ label, hint, onFiles }: FilesZoneProps) {
  const id = useId();
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    onDropAccepted: (files) => onFiles(files),
    noClick: true,
    noKeyboard: true,
    noPaste: true,
  });
  return (
    <div {...getRootProps({ className: classes.zone })} data-over={isDragActive || undefined}>
      <label htmlFor={id} className={classes.label}>
        <IconUpload size={28} stroke={1.5} aria-hidden />
        <Text fw={550} fz="md">
          {label}
        </Text>
        <Text c="dimmed" fz="xs">
          {hint}
        </Text>
      </label>
      <input
        {...getInputProps({ className: classes.input })}
        id={id}
        aria-label={undefined}
        style={undefined}
        tabIndex={0}
        data-autofocus
      />
    </div>
  );
}
