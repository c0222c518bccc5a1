/** A list people can put in order: by dragging a handle, or with the arrow keys on it. */
import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  horizontalListSortingStrategy,
  SortableContext,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { commonTexts } from '../lib/texts.ts';
import classes from './sortable.module.css';

/** Length of the buzz when a drag begins, in milliseconds (spec section 9). */
const VIBRATION_MS = 100;

interface SortableListProps {
  ids: readonly string[];
  axis: 'vertical' | 'horizontal';
  /** What an entry is called, for the handle and the announcements. */
  nameOf: (id: string) => string;
  /** Draws an entry; the handle goes wherever it fits. */
  render: (id: string, handle: ReactNode) => ReactNode;
  onMove: (from: number, to: number) => void;
  className?: string | undefined;
  label: string;
}

export function SortableList({ ids, axis, nameOf, render, onMove, className, label }: SortableListProps) {
  const [said, setSaid] = useState('');
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
  );
  const shift = (from: number, to: number) => {
    const id = ids[from];
    if (id === undefined || to < 0 || to >= ids.length || from === to) return;
    onMove(from, to);
    setSaid(commonTexts.movedTo(nameOf(id), to + 1, ids.length));
  };
  const end = ({ active, over }: DragEndEvent) => {
    if (over !== null) shift(ids.indexOf(String(active.id)), ids.indexOf(String(over.id)));
  };
  const keys = axis === 'vertical' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  const press = (index: number) => (event: KeyboardEvent) => {
    const step = keys.indexOf(event.key);
    if (step === -1) return;
    event.preventDefault();
    shift(index, step === 0 ? index - 1 : index + 1);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ screenReaderInstructions: { draggable: '' }, announcements: SILENT }}
      onDragStart={() => navigator.vibrate?.(VIBRATION_MS)}
      onDragEnd={end}
    >
      <SortableContext
        items={[...ids]}
        strategy={axis === 'vertical' ? verticalListSortingStrategy : horizontalListSortingStrategy}
      >
        <ul className={className} aria-label={label}>
          {ids.map((id, index) => (
            <Entry key={id} id={id} name={nameOf(id)} onKeyDown={press(index)} render={render} axis={axis} />
          ))}
        </ul>
      </SortableContext>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </DndContext>
  );
}

/** Our own sentence is said instead, for both ways of moving. */
const SILENT = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

interface EntryProps {
  id: string;
  name: string;
  axis: 'vertical' | 'horizontal';
  onKeyDown: (event: KeyboardEvent) => void;
  render: SortableListProps['render'];
}

function Entry({ id, name, axis, onKeyDown, render }: EntryProps) {
  const { listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id });
  const moveLabel = axis === 'vertical' ? commonTexts.moveUpAndDown(name) : commonTexts.moveLeftAndRight(name);
  const handle = (
    <ActionIcon
      ref={setActivatorNodeRef}
      variant="subtle"
      color="gray"
      size={36}
      className={classes.handle ?? ''}
      aria-label={moveLabel}
      {...listeners}
      onKeyDown={onKeyDown}
    >
      <IconGripVertical size={18} stroke={1.7} />
    </ActionIcon>
  );
  return (
    <li
      ref={setNodeRef}
      className={classes.entry}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {render(id, handle)}
    </li>
  );
}
