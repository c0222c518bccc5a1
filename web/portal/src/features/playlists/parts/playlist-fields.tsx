/** The fields of a playlist, for adding and editing. */
import { SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { lengths } from '~/features/content/model.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { cropShapes } from '~/shared/ui/crop-shapes.ts';
import { ImageField } from '~/shared/ui/image-field.tsx';
import type { PlaylistForm } from '../model.ts';
import { playlistTexts } from '../texts.ts';

interface PlaylistFieldsProps {
  form: UseFormReturnType<PlaylistForm>;
  orgId: string;
  /** The privacy toggle; its label differs between adding and editing. */
  privacy: ReactNode;
  /** The form that waits for the thumbnail. */
  imageForm: string;
}

export function PlaylistFields({ form, orgId, privacy, imageForm }: PlaylistFieldsProps) {
  return (
    <Stack gap="md">
      <TextInput
        label={commonTexts.title}
        description={commonTexts.maxCharacters(lengths.title)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data-autofocus
        {...form.getInputProps('title')}
      />
      <Textarea
        label={commonTexts.description}
        description={commonTexts.maxCharacters(lengths.description)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxRows={8}
        {...form.getInputProps('description')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={playlistTexts.contactEmail} type="email" {...form.getInputProps('email')} />
        <TextInput label={playlistTexts.contactPhone} type="tel" {...form.getInputProps('phoneNumber')} />
      </SimpleGrid>
      <ImageField
        label={commonTexts.thumbnail}
        hint={commonTexts.thumbnailHint}
        ratio="2"
        crop={cropShapes.thumbnail}
        orgId={orgId}
        value={form.values.previewUrl}
        form={imageForm}
        onChange={(url) => form.setFieldValue('previewUrl', url)}
      />
      {privacy}
    </Stack>
  );
}
