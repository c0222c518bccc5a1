/** Edits or deletes one content item. */
import { Button, Checkbox, Group, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ContentOut } from '@vitrine/api';
import { type ReactNode, useId, useState } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { ConfirmDialog } from '~/shared/ui/confirm-dialog.tsx';
import { ConflictNotice, isConflict, saveWords } from '~/shared/ui/conflict-notice.tsx';
import { useImageUploads } from '~/shared/ui/image-uploads.ts';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { contentQuery, useEditContent } from '../api/content-queries.ts';
import { type ContentEditForm, changesOf, chosenPreview, contentRules, formOf } from '../model.ts';
import { scheduleErrors, scheduleRules } from '../schedule.ts';
import { contentTexts } from '../texts.ts';
import { CaptionsSection } from './captions-section.tsx';
import { ContentFields } from './content-fields.tsx';
import classes from './edit-content-modal.module.css';
import { FileSection } from './file-section.tsx';
import { ScheduleFields } from './schedule-fields.tsx';

interface EditContentModalProps {
  content: ContentOut;
  /** The select for the item's playlist. */
  playlistField: ReactNode;
  /** Moves the item if another playlist was chosen; runs before the dialog closes. */
  onSaved: () => Promise<void>;
  /** What deleting does in the context the dialog was opened from. */
  deleteWarning: string;
  /** Deletes the item, including its files if `permanent`; shows the result itself. */
  onDelete: (permanent: boolean) => Promise<void>;
  onClose: () => void;
}

export function EditContentModal(props: EditContentModalProps) {
  const { content, playlistField, onSaved, onDelete, onClose } = props;
  const formId = useId();
  const [asking, setAsking] = useState(false);
  const [permanent, setPermanent] = useState(false);
  const [busy, setBusy] = useState(false);
  const edit = useEditContent(content.orgId);
  // The version shown on opening or after the last save; a refetch must not update it, or conflicts would be missed.
  const [base, setBase] = useState(content);
  const conflict = isConflict(edit.error);
  const images = useImageUploads();
  const embedded = content.type === 'integration';
  const form = useForm<ContentEditForm>({
    initialValues: formOf(content),
    validate: {
      title: contentRules.title,
      url: (url) => (embedded ? contentRules.url(url) : null),
      ...scheduleRules,
    },
  });
  const save = form.onSubmit(
    async (values) => {
      if (images.uploading) return;
      setBusy(true);
      try {
        setBase(await edit.mutateAsync({ base, changes: changesOf(values, base), anyway: conflict }));
        await onSaved();
        onClose();
      } catch (error) {
        // The mutation shows the error; the dialog keeps the input.
        form.setErrors(scheduleErrors(error));
      } finally {
        setBusy(false);
      }
    },
    () => toastFailure(commonTexts.invalidForm),
  );
  const remove = async () => {
    setBusy(true);
    await onDelete(permanent).finally(() => setBusy(false));
    onClose();
  };
  if (asking) {
    return (
      <ConfirmDialog
        opened
        action={contentTexts.deleteContent}
        busy={busy}
        onConfirm={() => void remove()}
        onClose={() => setAsking(false)}
      >
        {contentTexts.deleteQuestion(content.title, props.deleteWarning)}
        {!embedded && (
          <Checkbox
            mt="md"
            label={contentTexts.freeStorageNow}
            checked={permanent}
            onChange={(event) => setPermanent(event.currentTarget.checked)}
          />
        )}
      </ConfirmDialog>
    );
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={contentTexts.edit}
      size={600}
      classNames={{ content: classes.content ?? '' }}
    >
      <form id={formId} onSubmit={save} noValidate>
        <Stack gap="md">
          {embedded && <TextInput label={contentTexts.videoUrl} type="url" {...form.getInputProps('url')} />}
          <ContentFields
            form={form}
            orgId={content.orgId}
            imageForm={images.form}
            drawn={chosenPreview(content) === '' ? content.previewUrl : ''}
          />
          <ScheduleFields values={form.values} errors={form.errors} onChange={form.setFieldValue} />
          {!embedded && (
            <Switch
              label={contentTexts.allowDownload}
              description={contentTexts.allowDownloadHint}
              {...form.getInputProps('downloadable', { type: 'checkbox' })}
            />
          )}
          {playlistField}
        </Stack>
      </form>
      {!embedded && <Files content={content} />}
      <Stack gap="sm" className={classes.foot ?? ''}>
        {conflict && <ConflictNotice title={contentTexts.changedMeanwhile} />}
        <Group justify="space-between">
          <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
            {contentTexts.deleteContent}
          </Button>
          <Button type="submit" form={formId} loading={busy} disabled={images.uploading}>
            {images.uploading ? commonTexts.imageUploading : saveWords(conflict)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** File and captions: not part of the form, each change applies immediately. */
function Files({ content }: { content: ContentOut }) {
  const { data: now = content } = useQuery(contentQuery(content.orgId, content.uid));
  return (
    <>
      <FileSection content={now} />
      {(now.kind === 'video' || now.kind === 'audio') && now.type === 'native' && <CaptionsSection content={now} />}
    </>
  );
}
