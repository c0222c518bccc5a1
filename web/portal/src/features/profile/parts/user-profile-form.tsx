/** The form of /user-profile. */
import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ProfileOut } from '@vitrine/api';
import { businessAreas, jobTitles } from '@vitrine/api/options';
import { useState } from 'react';
import { ImageField } from '~/shared/ui/image-field.tsx';
import { useSaveProfile } from '../api/profile-queries.ts';
import { formOf, type ProfileForm, patchOf, profileRules } from '../model.ts';
import { profileTexts } from '../texts.ts';
import { ChoiceSelect } from './choice-select.tsx';

export function UserProfileForm({ profile }: { profile: ProfileOut }) {
  const save = useSaveProfile({ success: profileTexts.updated });
  const [photo, setPhoto] = useState(profile.photoURL);
  const form = useForm<ProfileForm>({
    initialValues: formOf(profile),
    validate: profileRules,
    validateInputOnBlur: true,
  });
  const submit = form.onSubmit((values) => {
    save.mutate(patchOf(values, photo === profile.photoURL ? null : photo));
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg" maw={640}>
        <ImageField
          label="Photo"
          hint="PNG, JPEG, GIF or WebP"
          value={photo}
          orgId={undefined}
          ratio="1"
          onChange={setPhoto}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="First name" autoComplete="given-name" {...form.getInputProps('firstName')} />
          <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps('lastName')} />
          <TextInput label="E-mail" value={profile.email} readOnly variant="filled" />
          <TextInput label="Phone number" type="tel" autoComplete="tel" {...form.getInputProps('phoneNumber')} />
          <TextInput label="Company" autoComplete="organization" {...form.getInputProps('company')} />
          <ChoiceSelect
            label="Job title"
            options={jobTitles}
            value={form.values.jobTitle}
            onChange={(value) => form.setFieldValue('jobTitle', value)}
          />
          <ChoiceSelect
            label="Business area"
            options={businessAreas}
            value={form.values.businessArea}
            onChange={(value) => form.setFieldValue('businessArea', value)}
          />
        </SimpleGrid>
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
