/** The upload panel: progress, cancel and retry. */
import { ActionIcon, Button, Progress, Text } from '@mantine/core';
import { IconCheck, IconChevronDown, IconChevronUp, IconRefresh, IconX } from '@tabler/icons-react';
import { memo, useId, useState } from 'react';
import { useNow } from '~/shared/lib/now.ts';
import { hasArrived, isGoingOn } from '~/shared/upload/entry.ts';
import { type PortalUpload, uploads } from '../api/upload-queue.ts';
import { uploadTexts } from '../texts.ts';
import { headingOf, isPaused, isStill, percentOf, sentenceOf } from '../upload-words.ts';
import classes from './upload-dock.module.css';

/** Independent of the screen below it. */
export function UploadDock({ entries }: { entries: readonly PortalUpload[] }) {
  const [open, setOpen] = useState(true);
  const list = useId();
  const done = entries.filter(({ state }) => state.step === 'done').length;
  return (
    <div className={classes.dock}>
      <div className={classes.head}>
        <Text fw={600} role="status" className="tabular">
          {uploadTexts.count(done, entries.length)}
        </Text>
        <span className={classes.space} />
        {done > 0 && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => uploads.clear()}>
            {uploadTexts.clear}
          </Button>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={open ? uploadTexts.collapse : uploadTexts.expand}
          aria-expanded={open}
          aria-controls={list}
          onClick={() => setOpen(!open)}
        >
          {open ? <IconChevronDown size={18} stroke={1.7} /> : <IconChevronUp size={18} stroke={1.7} />}
        </ActionIcon>
      </div>
      <ul id={list} className={classes.list} hidden={!open}>
        {entries.map((entry) => (
          <li key={entry.id} className={classes.row}>
            <Row entry={entry} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Memoized: with many uploads, only the row that changed rerenders. */
const Row = memo(function Row({ entry }: { entry: PortalUpload }) {
  const { id, name, state } = entry;
  const now = useNow(isPaused(state));
  const again = state.step === 'failed' || state.step === 'unfinished';
  return (
    <>
      <div className={classes.line}>
        <div className={classes.words}>
          <Text fw={550} truncate title={name}>
            {name}
          </Text>
          <Text fz="xs" c={again ? 'var(--mantine-color-error)' : 'dimmed'} className="tabular">
            {sentenceOf(entry, now)}
          </Text>
        </div>
        {state.step === 'done' && <IconCheck size={18} stroke={2} className={classes.done} aria-hidden />}
        {state.step === 'missing' && <ChooseAgain id={id} name={name} />}
        {again && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={uploadTexts.retryNamed(name)}
            onClick={() => uploads.retry(id)}
          >
            <IconRefresh size={18} stroke={1.7} />
          </ActionIcon>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={isGoingOn(entry) ? uploadTexts.cancelNamed(name) : uploadTexts.dismissNamed(name)}
          disabled={isGoingOn(entry) && hasArrived(state)}
          onClick={() => uploads.cancel(id)}
        >
          <IconX size={18} stroke={1.7} />
        </ActionIcon>
      </div>
      {state.step === 'working' && (
        <Progress
          value={percentOf(state.phase)}
          aria-label={uploadTexts.progressOf(headingOf(state.phase), name)}
          color={isStill(state.phase) ? 'gray' : 'orange'}
          size="sm"
          radius="xl"
          transitionDuration={120}
        />
      )}
    </>
  );
});

/** Asks for the file again after a reload. */
function ChooseAgain({ id, name }: { id: string; name: string }) {
  return (
    <label className={classes.choose}>
      {uploadTexts.chooseFile}
      <input
        type="file"
        aria-label={uploadTexts.chooseAgain(name)}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) uploads.give(id, file);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
