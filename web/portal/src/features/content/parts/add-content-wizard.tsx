/** Adding content in four steps: source, details, review, success. */
import { Alert, Button, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { Wizard } from '~/shared/ui/wizard.tsx';
import { type ContentForm, contentOf, contentRules, emptyForm, type SourceType, titleOfFile } from '../model.ts';
import { contentTexts } from '../texts.ts';
import { ContentFields } from './content-fields.tsx';
import { ReviewStep } from './review-step.tsx';
import { SourceStep } from './source-step.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { useAddContent } from './use-add-content.ts';

interface AddContentWizardProps {
  source: SourceType;
  orgId: string;
  attach: (uid: string) => Promise<unknown>;
  onClose: () => void;
}

const STEPS = ['Source', 'Details', 'Review', 'Done'] as const;

/** Mounted while open; closing forgets what was typed. */
export function AddContentWizard({ source, orgId, attach, onClose }: AddContentWizardProps) {
  const [step, setStep] = useState(0);
  const [file, setFile] = useState<File | null>(null);
  const [sourceError, setSourceError] = useState('');
  const [notifyUsers, setNotifyUsers] = useState(false);
  const form = useForm<ContentForm>({ initialValues: emptyForm, validate: { title: contentRules.title } });
  const adding = useAddContent({ orgId, attach });
  const { state } = adding;
  const sending = state.step === 'sending' || (state.step === 'unattached' && state.busy);

  const choose = (chosen: File | null) => {
    // A title taken from the file's name goes with the file.
    if (file !== null && form.values.title === titleOfFile(file.name)) form.setFieldValue('title', '');
    setFile(chosen);
    setSourceError('');
  };
  const leaveSource = () => {
    const error = source === 'url' ? contentRules.url(form.values.url) : fileError(file);
    setSourceError(error ?? '');
    if (error !== null) return;
    if (form.values.title === '' && file !== null) form.setFieldValue('title', titleOfFile(file.name));
    setStep(1);
  };
  const leaveDetails = () => {
    if (form.validate().hasErrors) return toastFailure(commonTexts.invalidForm);
    setStep(2);
  };
  const send = () => void adding.add({ content: contentOf(form.values, source), file, notifyUsers });
  const next = [
    leaveSource,
    leaveDetails,
    state.step === 'unattached' ? () => void adding.attachAgain(state.uid) : send,
  ];
  const close = () => {
    adding.cancel();
    onClose();
  };
  const title = source === 'file' ? contentTexts.addFile : contentTexts.addVideo;

  if (state.step === 'done') {
    return (
      <Wizard opened title={title} steps={STEPS} step={4} onClose={onClose}>
        <Success onClose={onClose} />
      </Wizard>
    );
  }
  return (
    <Wizard
      opened
      title={title}
      steps={STEPS}
      step={step}
      next={state.step === 'unattached' ? 'Add to playlist again' : step === 2 ? 'Upload' : 'Next'}
      busy={sending}
      onBack={step > 0 && state.step !== 'unattached' ? () => setStep(step - 1) : undefined}
      onNext={() => next[step]?.()}
      onClose={close}
    >
      {step === 0 && (
        <SourceStep
          source={source}
          file={file}
          url={form.values.url}
          error={sourceError}
          onFile={choose}
          onUrl={(url) => form.setFieldValue('url', url)}
        />
      )}
      {step === 1 && <ContentFields form={form} orgId={orgId} />}
      {step === 2 && (
        <Stack gap="md">
          <ReviewStep
            form={form.values}
            file={file}
            notifyUsers={notifyUsers}
            onNotifyUsers={setNotifyUsers}
            disabled={sending}
          />
          {state.step === 'failed' && (
            <Alert color="red" role="alert" title={contentTexts.createFailed}>
              {state.message}
            </Alert>
          )}
          {state.step === 'sending' && state.phase !== null && (
            <UploadProgress phase={state.phase} onCancel={adding.cancel} />
          )}
        </Stack>
      )}
    </Wizard>
  );
}

function fileError(file: File | null): string | null {
  if (file === null) return 'Choose a file to go on.';
  return file.size === 0 ? 'This file is empty.' : null;
}

function Success({ onClose }: { onClose: () => void }) {
  return (
    <Stack align="center" gap="sm" py="md">
      <ThemeIcon size={56} radius="xl" color="green" variant="light" aria-hidden>
        <IconCheck size={28} stroke={1.8} />
      </ThemeIcon>
      <Text fw={600} fz={18} role="status">
        {contentTexts.uploadSuccessful}
      </Text>
      <Group mt="xs">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
