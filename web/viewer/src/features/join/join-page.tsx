/** The branded landing page of a joining link. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { GlimpseOut, JoinPageOut } from '@vitrine/api';
import { imageSet } from '@vitrine/brand/image-sizes';
import { Landing, landingButton } from '@vitrine/brand/landing';
import { BrandedScreen } from '~/features/organisations/brand-scope.tsx';
import { joinQuery } from '~/features/organisations/queries.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { useSignedIn } from '~/shared/session.ts';
import { Icon } from '~/shared/ui/icon.tsx';
import { Loading, Skeleton } from '~/shared/ui/states.tsx';
import classes from './join-page.module.css';
import { LinkFailed } from './link-failed.tsx';
import { JOIN } from './texts.ts';

const route = getRouteApi('/join/$code');

/** /app/join/{code} */
export function JoinPage() {
  const { code } = route.useParams();
  const { data, error, refetch } = useQuery(joinQuery(code));
  useTitle(data?.organisation.name);
  if (error !== null) {
    return (
      <main>
        <LinkFailed error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  if (data === undefined) {
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
  return (
    <BrandedScreen theme={data.organisation.theme}>
      <Invitation code={code} {...data} />
    </BrandedScreen>
  );
}

function Invitation({ code, organisation, glimpse }: { code: string } & JoinPageOut) {
  const { name, description, logoUrl, theme } = organisation;
  const signedIn = useSignedIn();
  const navigate = useNavigate();
  const join = () =>
    signedIn
      ? navigate({ to: '/join/$code/consent', params: { code } })
      : navigate({ to: '/sign-in', search: { joinCode: code } });
  return (
    <main>
      <Landing
        name={name}
        description={description === '' ? JOIN.strapline : description}
        logoUrl={logoUrl}
        backgroundUrl={theme.backgroundUrl}
      >
        <button type="button" className={landingButton} onClick={() => void join()}>
          {JOIN.button}
        </button>
        {glimpse.length === 0 ? null : <Glimpse playlists={glimpse} />}
      </Landing>
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
              <span className={classes.cover} aria-hidden="true">
                <Icon name="play" size={24} />
              </span>
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
