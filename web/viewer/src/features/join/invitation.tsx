/** What a joining link shows: the organisation's brand, some of its playlists, and one button. */
import type { JoinPageOut } from '@vitrine/api';
import { Glimpse } from '@vitrine/brand/glimpse';
import { Landing, landingButton } from '@vitrine/brand/landing';
import { BrandedScreen } from '~/features/organisations/brand-scope.tsx';
import { useRememberedBrand } from '~/features/organisations/last-brand.ts';
import { useSiteName } from '~/shared/lib/title.ts';
import { Loading, Skeleton } from '~/shared/ui/states.tsx';
import classes from './join-page.module.css';
import { JOIN } from './texts.ts';

/** Imports neither router nor server state: it is also the first page of a visit. */
export function Invitation({ page: { organisation, glimpse }, onJoin }: { page: JoinPageOut; onJoin: () => void }) {
  const { name, description, logoUrl, theme } = organisation;
  useSiteName(name);
  useRememberedBrand(organisation);
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
          <Glimpse title={JOIN.glimpse} playlists={glimpse} count={JOIN.items} />
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
