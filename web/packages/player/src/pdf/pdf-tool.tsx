/** A button of the document reader. */
import classes from './pdf-reader.module.css';

const icons = {
  previous: 'M15 6l-6 6 6 6',
  next: 'M9 6l6 6-6 6',
  previousMatch: 'M6 15l6-6 6 6',
  nextMatch: 'M6 9l6 6 6-6',
  smaller: 'M5 12h14',
  larger: 'M12 5v14M5 12h14',
  fit: 'M4 12h16M4 12l3-3M4 12l3 3M20 12l-3-3M20 12l-3 3M4 5v2M20 5v2M4 17v2M20 17v2',
  find: 'M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14M16 16l4.5 4.5',
  close: 'M6 6l12 12M18 6L6 18',
  download: 'M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2M7 11l5 5 5-5M12 4v12',
} as const;

interface ToolProps {
  icon: keyof typeof icons;
  label: string;
  /** Null if unavailable; the button then keeps focus. */
  onPress: (() => void) | null;
  /** Whether what the button opens is open. */
  expanded?: boolean;
}

export function Tool({ icon, label, onPress, expanded }: ToolProps) {
  return (
    <button
      type="button"
      className={classes.tool}
      aria-label={label}
      title={label}
      aria-disabled={onPress === null}
      aria-expanded={expanded}
      onClick={() => onPress?.()}
    >
      <ToolIcon name={icon} />
    </button>
  );
}

export function ToolIcon({ name }: { name: keyof typeof icons }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={icons[name]} />
    </svg>
  );
}
