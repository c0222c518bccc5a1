/** The two previews of the app: beside the form, or in a dialog where there is no room. */
import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OrganisationOut } from '@vitrine/api';
import { useState } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { homePlaylistsQuery } from '../api/preview-queries.ts';
import type { OrganisationForm } from '../model.ts';
import { PhonePreview } from './phone-preview.tsx';
import classes from './previews.module.css';
import { settingsTexts } from './texts.ts';

interface PreviewsProps {
  organisation: OrganisationOut;
  /** The form as it is filled in. */
  form: OrganisationForm;
}

function Phones({ organisation, form }: PreviewsProps) {
  const { data: home, isError, refetch } = useQuery(homePlaylistsQuery(organisation));
  return (
    <>
      <PhonePreview form={form} screen="join" home={home} />
      <PhonePreview form={form} screen="home" home={home} />
      {isError && home === undefined && (
        <div className={classes.failed} role="alert">
          {settingsTexts.playlistsFailed}
          <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
            {commonTexts.tryAgain}
          </Button>
        </div>
      )}
    </>
  );
}

/** Beside the form; hidden on narrow screens. */
export function PreviewsBeside(props: PreviewsProps) {
  return (
    <aside className={classes.beside} aria-label={settingsTexts.previews}>
      <Phones {...props} />
    </aside>
  );
}

/** On narrow screens, a button that opens them. */
export function PreviewButton(props: PreviewsProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" className={classes.button ?? ''} onClick={() => setOpened(true)}>
        {settingsTexts.showPreviews}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={settingsTexts.previews} size="lg">
        <div className={classes.dialog}>
          <Phones {...props} />
        </div>
      </Modal>
    </>
  );
}
