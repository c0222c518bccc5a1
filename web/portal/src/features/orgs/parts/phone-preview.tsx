/** A preview of the organisation's app, made of the app's own parts. */
import { useComputedColorScheme } from '@mantine/core';
import type { PlaylistOut } from '@vitrine/api';
import { brandVariables } from '@vitrine/brand';
import { AppBar, appBar, BrandName, HomeIntro } from '@vitrine/brand/app-bar';
import { bottomBar, NavigationFace, navigationPlaces } from '@vitrine/brand/bottom-bar';
import { Cover } from '@vitrine/brand/cover';
import { EmptyHome } from '@vitrine/brand/empty-home';
import { Glimpse } from '@vitrine/brand/glimpse';
import { HeroFace, hero } from '@vitrine/brand/hero';
import { HomeSection } from '@vitrine/brand/home-section';
import { Icon } from '@vitrine/brand/icon';
import { Landing, landingButton } from '@vitrine/brand/landing';
import { PlaylistFace, playlistCard } from '@vitrine/brand/playlist-card';
import { brandTexts } from '@vitrine/brand/texts';
import { Thumbnail } from '@vitrine/brand/thumbnail';
import type { CSSProperties } from 'react';
import { glimpseOf, type HomePlaylists } from '../api/preview-queries.ts';
import type { OrganisationForm } from '../model.ts';
import classes from './phone-preview.module.css';
import { settingsTexts } from './texts.ts';

const { shell, playlists: texts, join } = brandTexts;

/** About the width of a phone, as small as it is drawn. */
const SIZES = '210px';

/** Cards of a part; more do not fit on the screen. */
const CARDS = 3;

interface PhonePreviewProps {
  form: OrganisationForm;
  screen: 'join' | 'home';
  /** The playlists on both screens, once they are loaded. */
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
            {screen === 'join' ? <JoinScreen form={form} shown={home} /> : <HomeScreen form={form} shown={home} />}
          </div>
        </div>
      </div>
      <figcaption className={classes.caption}>
        {screen === 'join' ? settingsTexts.joiningPage : settingsTexts.homeScreen}
      </figcaption>
    </figure>
  );
}

function JoinScreen({ form, shown }: { form: OrganisationForm; shown: HomePlaylists | undefined }) {
  return (
    <Landing
      name={form.name}
      description={form.description.trim() === '' ? join.strapline : form.description}
      logoUrl={form.logoUrl}
      backgroundUrl={form.backgroundUrl}
    >
      <button type="button" className={landingButton}>
        {join.button}
      </button>
      {shown !== undefined && (
        <Glimpse title={join.glimpse} playlists={glimpseOf(form.privacy, shown)} count={join.items} sizes="90px" />
      )}
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
      </AppBar>
      <div className={classes.home}>{shown !== undefined && <Home form={form} {...shown} />}</div>
      <div className={bottomBar}>
        {navigationPlaces.map((place) => (
          <span key={place} aria-current={place === 'home' ? 'page' : undefined}>
            <NavigationFace place={place} label={shell[place]} />
          </span>
        ))}
      </div>
    </>
  );
}

function Home({ form, pinned: [first, ...pins], others }: HomePlaylists & { form: OrganisationForm }) {
  if (first === undefined && others.length === 0) {
    return (
      <EmptyHome texts={texts} icon={<Icon name="play" size={32} />}>
        <span className={classes.refresh}>{texts.refresh}</span>
      </EmptyHome>
    );
  }
  return (
    <>
      {first !== undefined && <Hero {...first} />}
      <HomeIntro name={form.name} description={form.description} />
      <Cards title={texts.pinned} playlists={pins} />
      <Cards title={texts.all} playlists={others} />
    </>
  );
}

function Hero({ title, description, previewUrl, itemPreviews, stats }: PlaylistOut) {
  return (
    <div className={hero.place}>
      <div className={hero.link}>
        <HeroFace
          title={title}
          description={description}
          count={texts.count(stats.contentCount)}
          open={texts.open}
          image={
            <Thumbnail url={previewUrl} sizes={SIZES} mosaic={itemPreviews} fallback={<Icon name="play" size={32} />} />
          }
        />
      </div>
    </div>
  );
}

function Cards({ title, playlists }: { title: string; playlists: readonly PlaylistOut[] }) {
  if (playlists.length === 0) return null;
  return (
    <HomeSection title={title}>
      <ul className={playlistCard.grid}>
        {playlists.slice(0, CARDS).map((playlist) => (
          <li key={playlist.uid} className={playlistCard.link}>
            <PlaylistFace
              title={playlist.title}
              description={playlist.description}
              count={texts.count(playlist.stats.contentCount)}
              image={
                <Thumbnail
                  url={playlist.previewUrl}
                  sizes={SIZES}
                  mosaic={playlist.itemPreviews}
                  fallback={<Cover uid={playlist.uid} title={playlist.title} />}
                />
              }
            />
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}
