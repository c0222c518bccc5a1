/** Edits or deletes a playlist. */
import { Button, Group, Modal, Stack, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { PlaylistOut } from '@vitrine/api';
import { useState } from 'react';
import { ScheduleFields } from '~/features/content/parts/schedule-fields.tsx';
import { scheduleErrors, scheduleRules } from '~/features/content/schedule.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { ConfirmDialog } from '~/shared/ui/confirm-dialog.tsx';
import { ConflictNotice, isConflict, saveWords } from '~/shared/ui/conflict-notice.tsx';
import { useImageUploads } from '~/shared/ui/image-uploads.ts';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { useDeletePlaylist, useEditPlaylist } from '../api/playlist-mutations.ts';
import { changesOf, formOf, type PlaylistEditForm, playlistRules } from '../model.ts';
import { playlistTexts } from '../texts.ts';
import { PlaylistFields } from './playlist-fields.tsx';

export function EditPlaylistModal({ playlist, onClose }: { playlist: PlaylistOut; onClose: () => void }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const edit = useEditPlaylist(playlist);
  const remove = useDeletePlaylist(playlist.orgId);
  const form = useForm<PlaylistEditForm>({
    initialValues: formOf(playlist),
    validate: { ...playlistRules, ...scheduleRules },
  });
  // The version shown on opening; a refetch must not update it, or conflicts would be missed.
  const [base] = useState(playlist);
  const conflict = isConflict(edit.error);
  const images = useImageUploads();
  const save = form.onSubmit(
    (values) => {
      if (images.uploading) return;
      // After a conflict was shown, saving overwrites the other change.
      edit.mutate(
        { base, changes: changesOf(values, base), anyway: conflict },
        { onSuccess: onClose, onError: (error) => form.setErrors(scheduleErrors(error)) },
      );
    },
    () => toastFailure(commonTexts.invalidForm),
  );
  const confirm = () =>
    remove.mutate(playlist.uid, {
      onSuccess: () => void navigate({ to: '/org/$orgId/playlists', params: { orgId: playlist.orgId } }),
    });
  if (asking) {
    return (
      <ConfirmDialog
        opened
        action={playlistTexts.deletePlaylist}
        busy={remove.isPending}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      >
        {playlistTexts.deleteQuestion(playlist.title)}
      </ConfirmDialog>
    );
  }
  return (
    <Modal opened onClose={onClose} title={playlistTexts.editPlaylist} size={600}>
      <form onSubmit={save} noValidate>
        <Stack gap="md">
          <PlaylistFields
            form={form}
            orgId={playlist.orgId}
            imageForm={images.form}
            privacy={<Switch label={commonTexts.public} {...form.getInputProps('isPublic', { type: 'checkbox' })} />}
          />
          <ScheduleFields values={form.values} errors={form.errors} onChange={form.setFieldValue} />
          {conflict && <ConflictNotice title={playlistTexts.changedMeanwhile} />}
          <Group justify="space-between" mt="xs">
            <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
              {playlistTexts.deletePlaylist}
            </Button>
            <Button type="submit" loading={edit.isPending} disabled={images.uploading}>
              {images.uploading ? commonTexts.imageUploading : saveWords(conflict)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
