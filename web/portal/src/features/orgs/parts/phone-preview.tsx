/** A preview of the organisation's app, made of the app's own parts. */
import { useComputedColorScheme } from '@mantine/core';
import { IconHome, IconUser } from '@tabler/icons-react';
import { brandVariables } from '@vitrine/brand';
import { AppBar, appBar, BrandName, HomeIntro } from '@vitrine/brand/app-bar';
import { Landing, landingButton } from '@vitrine/brand/landing';
import { coverOf } from '@vitrine/tokens/cover';
import type { CSSProperties } from 'react';
import type { OrganisationForm } from '../model.ts';
import classes from './phone-preview.module.css';
import { settingsTexts } from './texts.ts';

interface PhonePreviewProps {
  form: OrganisationForm;
  screen: 'join' | 'home';
}

/** Hidden from screen readers and not operable; the form beside it has the same information. */
export function PhonePreview({ form, screen }: PhonePreviewProps) {
  const scheme = useComputedColorScheme('light');
  const variables = brandVariables(form, scheme) as CSSProperties;
  return (
    <figure className={classes.figure}>
      <div className={classes.phone} aria-hidden inert>
        <div className={classes.screen}>
          <div className={classes.app} style={variables}>
            {screen === 'join' ? <JoinScreen form={form} /> : <HomeScreen form={form} />}
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

function HomeScreen({ form }: { form: OrganisationForm }) {
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
        <h2>{settingsTexts.previewPinned}</h2>
        {settingsTexts.previewPlaylists.map((title) => (
          <Tile key={title} title={title} />
        ))}
      </div>
    </>
  );
}

/** A playlist without an image, as the app draws it. */
function Tile({ title }: { title: string }) {
  const { hue, figure, letters } = coverOf(title, title);
  return (
    <div className={classes.tile}>
      <div className={classes.cover}>
        <span className="vt-cover" data-hue={hue} data-figure={figure}>
          <span>{letters}</span>
        </span>
      </div>
      <strong>{title}</strong>
    </div>
  );
}
