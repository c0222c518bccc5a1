/** What a joining link shows: the organisation's brand, some of its playlists, and one button. */
import type { GlimpseOut, JoinPageOut } from '@vitrine/api';
import { imageSet } from '@vitrine/brand/image-sizes';
import { Landing, landingButton } from '@vitrine/brand/landing';
import { coverOf } from '@vitrine/tokens/cover';
import { BrandedScreen } from '~/features/organisations/brand-scope.tsx';
import { Loading, Skeleton } from '~/shared/ui/states.tsx';
import classes from './join-page.module.css';
import { JOIN } from './texts.ts';

/** Imports neither router nor server state: it is also the first page of a visit. */
export function Invitation({ page: { organisation, glimpse }, onJoin }: { page: JoinPageOut; onJoin: () => void }) {
  const { name, description, logoUrl, theme } = organisation;
  return (
    <BrandedScreen theme={theme}>
      <main>
        <Landing
          name={name}
          description={description === '' ? JOIN.strapline : description}
          logoUrl={logoUrl}
          backgroundUrl={theme.backgroundUrl}
        >
          <button type="button" className={landingButton} onClick={onJoin}>
            {JOIN.button}
          </button>
          {glimpse.length === 0 ? null : <Glimpse playlists={glimpse} />}
        </Landing>
      </main>
    </BrandedScreen>
  );
}

/** Shown while the invitation loads. */
export function WaitingForInvitation() {
  return (
    <main className={classes.waiting}>
      <Loading>
        <Skeleton height="72px" width="72px" />
        <Skeleton height="32px" width="60%" />
        <Skeleton height="48px" />
      </Loading>
    </main>
  );
}

/** Some of the playlists behind the link. They are not links: they open after joining. */
function Glimpse({ playlists }: { playlists: readonly GlimpseOut[] }) {
  return (
    <section className={classes.glimpse} aria-labelledby="glimpse">
      <h2 id="glimpse">{JOIN.glimpse}</h2>
      <ul>
        {playlists.map(({ title, previewUrl, contentCount }, place) => (
          // The order never changes, and two playlists may have the same title.
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <li key={place}>
            {previewUrl === '' ? (
              <Drawn title={title} />
            ) : (
              <img className={classes.cover} {...imageSet(previewUrl, 'thumbnail', '160px')} alt="" loading="lazy" />
            )}
            <span className={classes.playlist}>{title}</span>
            <span className={classes.count}>{JOIN.items(contentCount)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A playlist without a public image: images of its items are for people inside. */
function Drawn({ title }: { title: string }) {
  const { hue, figure, letters } = coverOf(title, title);
  return (
    <span className={classes.cover} aria-hidden="true">
      <span className="vt-cover" data-hue={hue} data-figure={figure}>
        <span>{letters}</span>
      </span>
    </span>
  );
}
