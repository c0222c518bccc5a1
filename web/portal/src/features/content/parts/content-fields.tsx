/** Title, description, thumbnail and privacy, for adding and editing. */
import { Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { commonTexts } from '~/shared/lib/texts.ts';
import { cropShapes } from '~/shared/ui/crop-shapes.ts';
import { ImageField } from '~/shared/ui/image-field.tsx';
import { type ContentForm, lengths } from '../model.ts';

interface ContentFieldsProps {
  form: UseFormReturnType<ContentForm>;
  orgId: string;
  /** The poster the server generated from the file, if any. */
  drawn?: string;
  /** The form that waits for the thumbnail. */
  imageForm: string;
  /** Shown in the title while it is empty. */
  titlePlaceholder?: string | undefined;
}

export function ContentFields({ form, orgId, drawn = '', imageForm, titlePlaceholder }: ContentFieldsProps) {
  return (
    <Stack gap="md">
      <TextInput
        label={commonTexts.title}
        description={commonTexts.maxCharacters(lengths.title)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data-autofocus
        placeholder={titlePlaceholder}
        {...form.getInputProps('title')}
      />
      <Textarea
        label={commonTexts.description}
        description={commonTexts.maxCharacters(lengths.description)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxRows={8}
        {...form.getInputProps('description')}
      />
      <ImageField
        label={commonTexts.thumbnail}
        hint={commonTexts.thumbnailHint}
        ratio="2"
        crop={cropShapes.thumbnail}
        orgId={orgId}
        value={form.values.previewUrl}
        drawn={drawn}
        form={imageForm}
        onChange={(url) => form.setFieldValue('previewUrl', url)}
      />
      <Switch label={commonTexts.hideFromPublic} {...form.getInputProps('hidden', { type: 'checkbox' })} />
    </Stack>
  );
}
