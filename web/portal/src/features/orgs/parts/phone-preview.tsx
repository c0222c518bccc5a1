/** A preview of the organisation's app, made of the app's own parts. */
import { useComputedColorScheme } from '@mantine/core';
import { IconHome, IconPlayerPlay, IconUser } from '@tabler/icons-react';
import type { PlaylistOut } from '@vitrine/api';
import { brandVariables } from '@vitrine/brand';
import { AppBar, appBar, BrandName, HomeIntro } from '@vitrine/brand/app-bar';
import { EmptyHome } from '@vitrine/brand/empty-home';
import { imageSet } from '@vitrine/brand/image-sizes';
import { Landing, landingButton } from '@vitrine/brand/landing';
import { coverOf } from '@vitrine/tokens/cover';
import type { CSSProperties } from 'react';
import type { HomePlaylists } from '../api/preview-queries.ts';
import type { OrganisationForm } from '../model.ts';
import classes from './phone-preview.module.css';
import { settingsTexts } from './texts.ts';

interface PhonePreviewProps {
  form: OrganisationForm;
  screen: 'join' | 'home';
  /** What the home screen shows, once it is loaded. */
  home?: HomePlaylists | undefined;
}

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

function HomeScreen({ form, shown }: { form: OrganisationForm; shown: HomePlaylists | undefined }) {
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
      <div className={classes.home}>{shown !== undefined && <Home form={form} {...shown} />}</div>
    </>
  );
}

function Home({ form, pinned, others }: HomePlaylists & { form: OrganisationForm }) {
  if (pinned.length + others.length === 0) {
    return (
      <EmptyHome icon={<IconPlayerPlay size={32} stroke={1.7} />}>
        <span className={classes.refresh}>{settingsTexts.previewRefresh}</span>
      </EmptyHome>
    );
  }
  return (
    <>
      <HomeIntro name={form.name} description={form.description} />
      <Tiles title={settingsTexts.previewPinned} playlists={pinned} />
      <Tiles title={settingsTexts.previewAll} playlists={others} />
    </>
  );
}

function Tiles({ title, playlists }: { title: string; playlists: readonly PlaylistOut[] }) {
  if (playlists.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      {playlists.map((playlist) => (
        <Tile key={playlist.uid} {...playlist} />
      ))}
    </section>
  );
}

/** A playlist as the app shows it. */
function Tile({ uid, title, description, previewUrl }: PlaylistOut) {
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
      <div className={classes.words}>
        <strong>{title}</strong>
        {description !== '' && <span>{description}</span>}
      </div>
    </div>
  );
}
