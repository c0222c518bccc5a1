/** A list that can be reordered by dragging a handle or with the arrow keys. */
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

/** Duration of the vibration when a drag starts, in milliseconds. */
const VIBRATION_MS = 100;

interface SortableListProps {
  ids: readonly string[];
  axis: 'vertical' | 'horizontal';
  /** Name of an entry, for the handle and the announcements. */
  nameOf: (id: string) => string;
  /** Renders an entry and places the handle in it. */
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

/** Silences dnd-kit's announcements; ours cover both mouse and keyboard. */
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
