/** The organisation's settings form with two live previews. */
import { Button, ColorInput, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { OrganisationOut } from '@vitrine/api';
import { palette } from '@vitrine/tokens';
import { useRef, useState } from 'react';
import { focusFirstError } from '~/features/profile/parts/first-error.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { ConflictNotice, isConflict, saveWords } from '~/shared/ui/conflict-notice.tsx';
import { cropShapes } from '~/shared/ui/crop-shapes.ts';
import { ImageField } from '~/shared/ui/image-field.tsx';
import { useImageUploads } from '~/shared/ui/image-uploads.ts';
import { Surface } from '~/shared/ui/surface.tsx';
import { UnsavedGuard } from '~/shared/ui/unsaved-guard.tsx';
import { useEditOrganisation } from '../api/org-queries.ts';
import { changesOf, type OrganisationForm as Form, formOf, organisationRules, privacyOptions } from '../model.ts';
import { orgTexts } from '../texts.ts';
import { ColourNotes } from './colour-notes.tsx';
import { JoinLink } from './join-link.tsx';
import classes from './organisation-form.module.css';
import { PreviewButton, PreviewsBeside } from './previews.tsx';
import { settingsTexts } from './texts.ts';

/** Today's names of zones that some browsers list under an older one only. */
const newNames = ['Asia/Ho_Chi_Minh', 'Asia/Kathmandu', 'Asia/Kolkata', 'Asia/Yangon', 'America/Nuuk', 'Europe/Kyiv'];

/** The zones that the browser knows, and the one that is set. */
const zones = (set: string) => [...new Set(['UTC', set, ...Intl.supportedValuesOf('timeZone'), ...newNames])].sort();

const swatches = [
  palette.purple[9],
  palette.gray[9],
  palette.blue[9],
  palette.teal[9],
  palette.orange[5],
  palette.purple[5],
  '#ffffff',
];

export function OrganisationForm({ organisation }: { organisation: OrganisationOut }) {
  const save = useEditOrganisation(organisation.uid);
  const images = useImageUploads();
  // The version shown on opening or after the last save; a refetch must not update it, or conflicts would be missed.
  const [base, setBase] = useState(organisation);
  // The latest version of another person that the person here was warned about, and how often that happened.
  const [conflict, setConflict] = useState<{ now: OrganisationOut; times: number } | null>(null);
  const applying = useRef(false);
  const form = useForm<Form>({
    initialValues: formOf(organisation),
    validate: organisationRules,
    validateInputOnBlur: true,
    // While a save runs, or its result is shown, its outcome must still be heard.
    onValuesChange: () => {
      if (!save.isPending && !applying.current) save.reset();
    },
  });
  /** Shows what was saved, with the other editor's changes; what was typed since the save stays. */
  const show = (saved: OrganisationOut, sent: Form) => {
    const fields = formOf(saved);
    applying.current = true;
    form.setValues((now) => {
      const typed = Object.entries(now).filter(([field, value]) => sent[field as keyof Form] !== value);
      return { ...fields, ...Object.fromEntries(typed) };
    });
    form.resetDirty(fields);
    applying.current = false;
  };
  const submit = form.onSubmit((values) => {
    // A late second click on Save: all of it is saved already.
    if (images.uploading || (save.isSuccess && !form.isDirty())) return;
    let now = conflict?.now ?? base;
    save.mutate(
      {
        base: now,
        changes: changesOf(values, base),
        onNewer: (newer) => {
          now = newer;
        },
      },
      {
        onSuccess: (saved) => {
          setBase(saved);
          setConflict(null);
          show(saved, values);
        },
        onError: (error) => setConflict(isConflict(error) ? { now, times: (conflict?.times ?? 0) + 1 } : conflict),
      },
    );
  }, focusFirstError(form));
  const hint = privacyOptions.find(({ value }) => value === form.values.privacy)?.hint;
  return (
    <div className={classes.layout}>
      <UnsavedGuard unsaved={form.isDirty() || images.uploading} />
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Surface as="section">
            <Stack gap="md">
              <Title order={2} fz={16}>
                {settingsTexts.about}
              </Title>
              <TextInput label={orgTexts.name} {...form.getInputProps('name')} />
              <Textarea
                label={settingsTexts.strapline}
                description={settingsTexts.straplineHint}
                {...form.getInputProps('description')}
              />
              <TextInput
                label={orgTexts.website}
                type="url"
                placeholder={settingsTexts.websiteExample}
                {...form.getInputProps('website')}
              />
              <Select
                label={settingsTexts.timeZone}
                description={settingsTexts.timeZoneHint}
                data={zones(organisation.timeZone)}
                searchable
                limit={50}
                allowDeselect={false}
                nothingFoundMessage={settingsTexts.noTimeZone}
                // A search replaces the name that is there.
                onClick={(event) => event.currentTarget.select()}
                {...form.getInputProps('timeZone')}
              />
            </Stack>
          </Surface>
          <Surface as="section">
            <Stack gap="md">
              <Title order={2} fz={16}>
                {settingsTexts.access}
              </Title>
              <Select
                label={orgTexts.privacy}
                description={hint}
                data={privacyOptions.map(({ value, label }) => ({ value, label }))}
                allowDeselect={false}
                {...form.getInputProps('privacy')}
              />
              <JoinLink organisation={organisation} />
            </Stack>
          </Surface>
          <Surface as="section">
            <Stack gap="md">
              <Title order={2} fz={16}>
                {settingsTexts.contact}
              </Title>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <TextInput label={commonTexts.email} type="email" {...form.getInputProps('contactEmail')} />
                <TextInput
                  label={commonTexts.phoneNumber}
                  type="tel"
                  placeholder={commonTexts.phoneExample}
                  {...form.getInputProps('contactPhone')}
                />
              </SimpleGrid>
            </Stack>
          </Surface>
          <Surface as="section">
            <Stack gap="md">
              <Title order={2} fz={16}>
                {settingsTexts.branding}
              </Title>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <ImageField
                  label={settingsTexts.logo}
                  hint={settingsTexts.logoHint}
                  ratio="1"
                  crop={cropShapes.square}
                  orgId={organisation.uid}
                  value={form.values.logoUrl}
                  form={images.form}
                  onChange={(url) => form.setFieldValue('logoUrl', url)}
                />
                <ImageField
                  label={settingsTexts.wallpaper}
                  hint={settingsTexts.wallpaperHint}
                  ratio="2 / 3"
                  crop={cropShapes.wallpaper}
                  orgId={organisation.uid}
                  value={form.values.backgroundUrl}
                  form={images.form}
                  onChange={(url) => form.setFieldValue('backgroundUrl', url)}
                />
              </SimpleGrid>
              <SimpleGrid cols={{ base: 1, sm: 3 }}>
                <ColorInput
                  label={orgTexts.background}
                  eyeDropperButtonProps={{ 'aria-label': settingsTexts.pickColour }}
                  swatches={swatches}
                  {...form.getInputProps('primaryColor')}
                />
                <ColorInput
                  label={orgTexts.buttonColour}
                  eyeDropperButtonProps={{ 'aria-label': settingsTexts.pickColour }}
                  swatches={swatches}
                  {...form.getInputProps('secondaryColor')}
                />
                <ColorInput
                  label={orgTexts.textColour}
                  eyeDropperButtonProps={{ 'aria-label': settingsTexts.pickColour }}
                  swatches={swatches}
                  {...form.getInputProps('brandTextColor')}
                />
              </SimpleGrid>
              <ColourNotes colours={form.values} />
            </Stack>
          </Surface>
          {conflict !== null && (
            // Mounted again, so that it is announced again.
            <ConflictNotice
              key={conflict.times}
              title={conflict.times === 1 ? orgTexts.changedMeanwhile : settingsTexts.changedAgain}
              hint={settingsTexts.changedHint}
            />
          )}
          <Group justify="flex-end" gap="sm" className={classes.footer ?? ''}>
            <Text c="dimmed" role="status">
              {form.isDirty() ? settingsTexts.unsaved : save.isSuccess ? settingsTexts.saved : ''}
            </Text>
            <PreviewButton organisation={organisation} form={form.values} />
            <Button type="submit" loading={save.isPending} disabled={images.uploading}>
              {images.uploading ? commonTexts.imageUploading : saveWords(conflict !== null)}
            </Button>
          </Group>
        </Stack>
      </form>
      <PreviewsBeside organisation={organisation} form={form.values} />
    </div>
  );
}
