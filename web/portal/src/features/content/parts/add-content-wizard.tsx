/** Adds content in four steps: source, details, review, success. */
import { Alert, Button, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { useImageUploads } from '~/shared/ui/image-uploads.ts';
import { hideInvalidForm, toastInvalidForm } from '~/shared/ui/invalid-form.ts';
import { Wizard } from '~/shared/ui/wizard.tsx';
import { contentQuery } from '../api/content-queries.ts';
import { uploads } from '../api/upload-queue.ts';
import { type ContentForm, contentOf, contentRules, emptyForm, type SourceType, titleOfFile } from '../model.ts';
import { contentTexts } from '../texts.ts';
import { ContentFields } from './content-fields.tsx';
import { ProcessingLine } from './processing-line.tsx';
import { ReviewStep } from './review-step.tsx';
import { SourceStep } from './source-step.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { useAddContent } from './use-add-content.ts';
import { useSuggestedTitle } from './use-suggested-title.ts';

interface AddContentWizardProps {
  source: SourceType;
  orgId: string;
  playlistId: string;
  onClose: () => void;
}

const STEPS = Object.values(contentTexts.steps);

/** Mounted while open. Closing discards the input; a running upload moves to the upload panel. */
export function AddContentWizard({ source, orgId, playlistId, onClose }: AddContentWizardProps) {
  const [step, setStep] = useState(0);
  const [files, setFiles] = useState<File[]>([]);
  const [sourceError, setSourceError] = useState('');
  const [notifyUsers, setNotifyUsers] = useState(false);
  const form = useForm<ContentForm>({ initialValues: emptyForm, validate: { title: contentRules.title } });
  const adding = useAddContent(orgId);
  const videoTitle = useSuggestedTitle(orgId, form);
  const images = useImageUploads();
  const { state } = adding;
  const sending = state.step === 'sending' || (state.step === 'unattached' && state.busy);
  const [file = null] = files;
  const many = files.length > 1;

  const choose = (chosen: File[]) => {
    // Clear a title that was derived from the previous file's name.
    if (file !== null && form.values.title === titleOfFile(file.name)) form.setFieldValue('title', '');
    setFiles(chosen);
    setSourceError('');
  };
  const changeUrl = (url: string) => {
    videoTitle.forget();
    form.setFieldValue('url', url);
  };
  const leaveSource = () => {
    const error = source === 'url' ? contentRules.url(form.values.url) : filesError(files);
    setSourceError(error ?? '');
    if (error !== null) return toastInvalidForm();
    hideInvalidForm();
    if (many) return sendMany();
    if (source === 'url') void videoTitle.suggest(form.values.url.trim());
    if (form.values.title === '' && file !== null) form.setFieldValue('title', titleOfFile(file.name));
    setStep(1);
  };
  const leaveDetails = () => {
    if (form.validate().hasErrors) return toastInvalidForm();
    hideInvalidForm();
    setStep(2);
  };
  const job = { orgId, playlistId, notifyUsers };
  const sendMany = () => {
    uploads.add(
      files.map((one) => {
        const title = titleOfFile(one.name) || one.name;
        const content = contentOf({ ...emptyForm, title, hidden: form.values.hidden }, 'file');
        return { file: one, job: { kind: 'new', content, ...job } };
      }),
    );
    onClose();
  };
  const send = () => adding.add({ content: contentOf(form.values, source), file, ...job });
  const next = [leaveSource, leaveDetails, state.step === 'unattached' ? adding.attachAgain : send];
  const title = source === 'file' ? contentTexts.addFile : contentTexts.addVideo;

  if (state.step === 'done') {
    return (
      <Wizard opened title={title} steps={STEPS} step={4} onClose={onClose}>
        <Success onClose={onClose}>{state.uid !== null && <Processing orgId={orgId} uid={state.uid} />}</Success>
      </Wizard>
    );
  }
  return (
    <Wizard
      opened
      title={title}
      steps={STEPS}
      step={step}
      next={nextWord(step, state.step === 'unattached', many ? files.length : 0)}
      busy={sending}
      waits={images.uploading ? commonTexts.imageUploading : undefined}
      onBack={step > 0 && state.step !== 'unattached' ? () => setStep(step - 1) : undefined}
      onNext={() => next[step]?.()}
      onClose={onClose}
    >
      {step === 0 && (
        <SourceStep
          source={source}
          files={files}
          url={form.values.url}
          error={sourceError}
          onFiles={choose}
          onUrl={changeUrl}
          hidden={form.values.hidden}
          onHidden={(hidden) => form.setFieldValue('hidden', hidden)}
          notifyUsers={notifyUsers}
          onNotifyUsers={setNotifyUsers}
        />
      )}
      {step === 1 && (
        <ContentFields
          form={form}
          orgId={orgId}
          imageForm={images.form}
          titlePlaceholder={videoTitle.isLookingUp ? contentTexts.lookingUpTitle : undefined}
        />
      )}
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
          {state.step === 'unattached' && state.message !== '' && (
            <Alert color="red" role="alert">
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

function nextWord(step: number, unattached: boolean, many: number): string {
  if (unattached) return contentTexts.addAgain;
  if (many > 0) return contentTexts.uploadFiles(many);
  return step === 2 ? contentTexts.upload : commonTexts.next;
}

function filesError(files: readonly File[]): string | null {
  if (files.length === 0) return contentTexts.chooseFileFirst;
  const empty = files.find(({ size }) => size === 0);
  if (empty === undefined) return null;
  return files.length === 1 ? contentTexts.fileEmpty : contentTexts.namedFileEmpty(empty.name);
}

/** What the server still does with the file, until it is ready. */
function Processing({ orgId, uid }: { orgId: string; uid: string }) {
  const { data } = useQuery(contentQuery(orgId, uid));
  return data === undefined ? null : <ProcessingLine content={data} editable />;
}

function Success({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <Stack align="center" gap="sm" py="md">
      <ThemeIcon size={56} radius="xl" color="green" variant="light" aria-hidden>
        <IconCheck size={28} stroke={1.8} />
      </ThemeIcon>
      <Text fw={600} fz={18} role="status">
        {contentTexts.uploadSuccessful}
      </Text>
      {children}
      <Group mt="xs">
        <Button onClick={onClose}>{contentTexts.done}</Button>
      </Group>
    </Stack>
  );
}
