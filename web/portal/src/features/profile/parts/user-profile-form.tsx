/** The form of /user-profile. */
import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconUser } from '@tabler/icons-react';
import type { ProfileOut } from '@vitrine/api';
import { useState } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { cropShapes } from '~/shared/ui/crop-shapes.ts';
import { ImageField } from '~/shared/ui/image-field.tsx';
import { useImageUploads } from '~/shared/ui/image-uploads.ts';
import steady from '~/shared/ui/steady-form.module.css';
import { useSaveProfile } from '../api/profile-queries.ts';
import { formOf, type ProfileForm, patchOf, profileRules } from '../model.ts';
import { profileTexts } from '../texts.ts';
import { focusFirstError } from './first-error.ts';
import { PhoneField } from './phone-field.tsx';
import { WorkFields } from './work-fields.tsx';

/** Keeps the input until it is saved, whatever the server answers. */
export function UserProfileForm({ profile }: { profile: ProfileOut }) {
  const images = useImageUploads();
  const save = useSaveProfile({ success: profileTexts.updated });
  // The new photo, an empty string if it was removed, or null if unchanged.
  const [photo, setPhoto] = useState<string | null>(null);
  const form = useForm<ProfileForm>({
    initialValues: formOf(profile),
    validate: profileRules,
    validateInputOnBlur: true,
  });
  const submit = form.onSubmit((values) => {
    if (save.isPending || images.uploading) return;
    save.mutate(patchOf(values, photo), { onSuccess: () => setPhoto(null) });
  }, focusFirstError(form));
  return (
    <form onSubmit={submit} noValidate className={steady.form}>
      <ImageField
        label={profileTexts.photo}
        hint={profileTexts.photoHint}
        value={photo ?? profile.photoURL}
        orgId={undefined}
        ratio="1"
        crop={cropShapes.square}
        icon={IconUser}
        form={images.form}
        onChange={setPhoto}
      />
      <div className={steady.columns}>
        <TextInput label={profileTexts.firstName} autoComplete="given-name" {...form.getInputProps('firstName')} />
        <TextInput label={profileTexts.lastName} autoComplete="family-name" {...form.getInputProps('lastName')} />
        <TextInput label={commonTexts.email} value={profile.email} readOnly variant="filled" />
        <PhoneField {...form.getInputProps('phoneNumber')} />
        <WorkFields values={form.values} onChange={form.setValues} company={form.getInputProps('company')} />
      </div>
      <Group justify="flex-end">
        <Button type="submit" loading={save.isPending} disabled={images.uploading}>
          {images.uploading ? commonTexts.imageUploading : commonTexts.save}
        </Button>
      </Group>
    </form>
  );
}
