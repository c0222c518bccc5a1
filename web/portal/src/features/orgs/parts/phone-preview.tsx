/** A preview of the organisation's app, made of the app's own parts. */
import { useComputedColorScheme } from '@mantine/core';
import { IconHome, IconUser } from '@tabler/icons-react';
import type { PlaylistOut } from '@vitrine/api';
import { brandVariables } from '@vitrine/brand';
import { AppBar, appBar, BrandName, HomeIntro } from '@vitrine/brand/app-bar';
import { imageSet } from '@vitrine/brand/image-sizes';
import { Landing, landingButton } from '@vitrine/brand/landing';
import { coverOf } from '@vitrine/tokens/cover';
import type { CSSProperties } from 'react';
import type { OrganisationForm } from '../model.ts';
import classes from './phone-preview.module.css';
import { settingsTexts } from './texts.ts';

/** The playlists at the top of the app's home. */
export interface ShownPlaylists {
  pinned: boolean;
  playlists: readonly Pick<PlaylistOut, 'uid' | 'title' | 'previewUrl'>[];
}

interface PhonePreviewProps {
  form: OrganisationForm;
  screen: 'join' | 'home';
  /** What the home screen shows, once it is loaded; examples stand for the playlists of an empty app. */
  home?: ShownPlaylists | undefined;
}

const examples: ShownPlaylists = {
  pinned: true,
  playlists: settingsTexts.previewPlaylists.map((title) => ({ uid: title, title, previewUrl: '' })),
};

const loading: ShownPlaylists = { pinned: true, playlists: [] };

/** Hidden from screen readers and not operable; the form beside it has the same information. */
export function PhonePreview({ form, screen, home }: PhonePreviewProps) {
  const scheme = useComputedColorScheme('light');
  const variables = brandVariables(form, scheme) as CSSProperties;
  return (
    <figure className={classes.figure}>
      <div className={classes.phone} aria-hidden inert>
        <div className={classes.screen}>
          <div className={classes.app} style={variables}>
            {screen === 'join' ? <JoinScreen form={form} /> : <HomeScreen form={form} shown={home} />}
          </div>
        </div>
      </div>
      <figcaption className={classes.caption}>
        {screen === 'join' ? settingsTexts.joiningPage : settingsTexts.homeScreen}
      </figcaption>
    </figure>
  );
}

function JoinScreen({ form }: { form: OrganisationForm }) {
  return (
    <Landing
      name={form.name}
      description={form.description.trim() === '' ? settingsTexts.previewStrapline : form.description}
      logoUrl={form.logoUrl}
      backgroundUrl={form.backgroundUrl}
    >
      <button type="button" className={landingButton}>
        {settingsTexts.previewJoin}
      </button>
    </Landing>
  );
}

function HomeScreen({ form, shown }: { form: OrganisationForm; shown: ShownPlaylists | undefined }) {
  const { pinned, playlists } = shown?.playlists.length === 0 ? examples : (shown ?? loading);
  return (
    <>
      <AppBar>
        <span className={appBar.brand}>
          <BrandName name={form.name} logoUrl={form.logoUrl} />
        </span>
        <div className={appBar.nav}>
          <span aria-current="page">
            <IconHome size={20} stroke={1.7} />
          </span>
          <span>
            <IconUser size={20} stroke={1.7} />
          </span>
        </div>
      </AppBar>
      <div className={classes.home}>
        <HomeIntro name={form.name} description={form.description} />
        <h2>{pinned ? settingsTexts.previewPinned : settingsTexts.previewAll}</h2>
        {playlists.map((playlist) => (
          <Tile key={playlist.uid} {...playlist} />
        ))}
      </div>
    </>
  );
}

/** A playlist as the app shows it. */
function Tile({ uid, title, previewUrl }: ShownPlaylists['playlists'][number]) {
  const { hue, figure, letters } = coverOf(uid, title);
  return (
    <div className={classes.tile}>
      <div className={classes.cover}>
        {previewUrl === '' ? (
          <span className="vt-cover" data-hue={hue} data-figure={figure}>
            <span>{letters}</span>
          </span>
        ) : (
          <img {...imageSet(previewUrl, 'thumbnail', '210px')} alt="" />
        )}
      </div>
      <strong>{title}</strong>
    </div>
  );
}
