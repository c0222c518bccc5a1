/** Adds a playlist in three steps: details, confirm, success. */
import { Button, Checkbox, Group, Stack, Switch, Text, ThemeIcon } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCheck } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { SourceType } from '~/features/content/model.ts';
import { contentTexts } from '~/features/content/texts.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { DetailList } from '~/shared/ui/detail-list.tsx';
import { useImageUploads } from '~/shared/ui/image-uploads.ts';
import { hideInvalidForm, toastInvalidForm } from '~/shared/ui/invalid-form.ts';
import { Wizard } from '~/shared/ui/wizard.tsx';
import { useCreatePlaylist } from '../api/playlist-mutations.ts';
import { emptyForm, type PlaylistForm, playlistOf, playlistRules } from '../model.ts';
import { playlistTexts } from '../texts.ts';
import { PlaylistFields } from './playlist-fields.tsx';

const STEPS = [playlistTexts.addPlaylist, playlistTexts.confirmDetails, playlistTexts.done] as const;

/** Mounted while open; closing discards the input. */
export function AddPlaylistWizard({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const [step, setStep] = useState(0);
  const [notifyUsers, setNotifyUsers] = useState(false);
  const create = useCreatePlaylist(orgId);
  const images = useImageUploads();
  const form = useForm<PlaylistForm>({ initialValues: emptyForm, validate: playlistRules });
  const leaveDetails = () => {
    if (form.validate().hasErrors) return toastInvalidForm();
    hideInvalidForm();
    setStep(1);
  };
  const finish = () => create.mutate({ playlist: playlistOf(form.values), notifyUsers });
  const { values } = form;

  if (create.isSuccess) {
    return (
      <Wizard opened title={playlistTexts.addPlaylist} steps={STEPS} step={3} onClose={onClose}>
        <Success orgId={orgId} playlistId={create.data.uid} onClose={onClose} />
      </Wizard>
    );
  }
  return (
    <Wizard
      opened
      title={playlistTexts.addPlaylist}
      steps={STEPS}
      step={step}
      next={step === 0 ? commonTexts.next : playlistTexts.finish}
      busy={create.isPending}
      waits={images.uploading ? commonTexts.imageUploading : undefined}
      onBack={step === 0 ? undefined : () => setStep(0)}
      onNext={step === 0 ? leaveDetails : finish}
      onClose={onClose}
    >
      {step === 0 ? (
        <PlaylistFields
          form={form}
          orgId={orgId}
          imageForm={images.form}
          privacy={
            <Switch
              label={commonTexts.hideFromPublic}
              checked={!values.isPublic}
              onChange={(event) => form.setFieldValue('isPublic', !event.currentTarget.checked)}
            />
          }
        />
      ) : (
        <Stack gap="md">
          <DetailList
            rows={[
              [commonTexts.title, values.title],
              [commonTexts.description, values.description],
              [playlistTexts.contactEmail, values.email],
              [playlistTexts.contactPhone, values.phoneNumber],
              [commonTexts.visibility, values.isPublic ? commonTexts.public : commonTexts.hiddenFromPublic],
            ]}
          />
          <Checkbox
            label={commonTexts.notifyUsers}
            checked={notifyUsers}
            onChange={(event) => setNotifyUsers(event.currentTarget.checked)}
          />
        </Stack>
      )}
    </Wizard>
  );
}

/** Offers next steps for the new playlist. */
function Success({ orgId, playlistId, onClose }: { orgId: string; playlistId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const add = (source: SourceType) =>
    navigate({ to: '/org/$orgId/playlists/$playlistId', params: { orgId, playlistId }, search: { add: source } });
  return (
    <Stack align="center" gap="sm" py="md">
      <ThemeIcon size={56} radius="xl" color="green" variant="light" aria-hidden>
        <IconCheck size={28} stroke={1.8} />
      </ThemeIcon>
      <Text fw={600} fz={18} role="status">
        {playlistTexts.playlistAdded}
      </Text>
      <Group mt="xs" gap="xs" justify="center">
        <Button variant="default" onClick={onClose}>
          {playlistTexts.skipForNow}
        </Button>
        <Button variant="default" onClick={() => void add('url')}>
          {contentTexts.addVideo}
        </Button>
        <Button onClick={() => void add('file')}>{contentTexts.addFile}</Button>
      </Group>
    </Stack>
  );
}
