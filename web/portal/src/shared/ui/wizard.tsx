/** A dialog with steps: progress, the current step, Back and Next. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { commonTexts } from '../lib/texts.ts';
import classes from './wizard.module.css';

interface WizardProps {
  opened: boolean;
  title: string;
  steps: readonly string[];
  step: number;
  children: ReactNode;
  /** Label of the button to the next step; absent on the last step. */
  next?: string;
  busy?: boolean;
  /** What the next step is waiting for; shown instead of `next`. */
  waits?: string | undefined;
  /** Absent if there is no previous step. */
  onBack?: (() => void) | undefined;
  onNext?: () => void;
  onClose: () => void;
}

/** Enter submits the step. A busy wizard cannot be closed by clicking outside or pressing Escape. */
export function Wizard({
  opened,
  title,
  steps,
  step,
  children,
  next,
  busy = false,
  waits,
  onBack,
  onNext,
  onClose,
}: WizardProps) {
  const body = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  // The dialog focuses its first step itself; later steps must take focus, or it would be lost.
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    (body.current?.querySelector<HTMLElement>('[data-autofocus]') ?? body.current)?.focus();
  }, [step]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog opened from another form must not submit that one too.
    event.stopPropagation();
    if (waits === undefined) onNext?.();
  };
  const shownStep = Math.min(step, steps.length - 1);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={600}
      closeOnClickOutside={!busy && step === 0}
      closeOnEscape={!busy}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="lg">
          <div>
            <Steps names={steps} current={step} />
            <Text className={classes.short} c="dimmed" fz="xs">
              {commonTexts.stepOf(shownStep + 1, steps.length, steps[shownStep] ?? '')}
            </Text>
          </div>
          <div ref={body} tabIndex={-1} className={classes.body}>
            {children}
          </div>
          {next !== undefined && (
            <Group justify="space-between">
              {onBack === undefined ? (
                <span />
              ) : (
                <Button variant="default" onClick={onBack} disabled={busy}>
                  {commonTexts.back}
                </Button>
              )}
              <Button type="submit" loading={busy} disabled={waits !== undefined}>
                {waits ?? next}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Modal>
  );
}

/** Progress only; navigation is done with Back and Next. */
function Steps({ names, current }: { names: readonly string[]; current: number }) {
  return (
    <ol className={classes.steps}>
      {names.map((name, index) => (
        <li
          key={name}
          className={classes.step}
          data-state={index < current ? 'done' : index === current ? 'current' : 'ahead'}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className={classes.mark} aria-hidden>
            {index < current ? <IconCheck size={14} stroke={2.4} /> : index + 1}
          </span>
          <span>{name}</span>
        </li>
      ))}
    </ol>
  );
}
