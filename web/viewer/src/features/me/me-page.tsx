/** Me: consent, emails, appearance, language, devices, leaving and logging out. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { imageAt } from '@vitrine/brand/image-sizes';
import { Logo } from '@vitrine/brand/logo';
import { useState } from 'react';
import { useOrganisation } from '~/features/organisations/current.ts';
import { KeptConsents } from '~/features/organisations/kept-consents.tsx';
import { LeaveButton } from '~/features/organisations/leave-button.tsx';
import { isFollowed } from '~/features/organisations/model.ts';
import { profileQuery } from '~/features/profile/queries.ts';
import { useSignOut } from '~/features/session/calls.ts';
import { closePlayer } from '~/features/watch/kept-player.ts';
import { outbox } from '~/features/watch/outbox.ts';
import { rememberPath } from '~/shared/lib/next-path.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button, buttonClass } from '~/shared/ui/button.tsx';
import { Skeleton } from '~/shared/ui/states.tsx';
import { Appearance, LanguageChoice } from './choices.tsx';
import { ConsentSection } from './consent-section.tsx';
import { DevicesSection } from './devices-section.tsx';
import { EmailsSection } from './emails-section.tsx';
import { EraseAccount } from './erase-account.tsx';
import { InstallSection } from './install-section.tsx';
import classes from './me-page.module.css';
import { ME } from './texts.ts';

const SIGN_OUT_PATIENCE_MS = 2000;

/** /app/org/{orgId}/me */
export function MePage() {
  const organisation = useOrganisation();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const [leavingSession, setLeavingSession] = useState(false);
  useTitle(ME.title);
  const onSignOut = async () => {
    setLeavingSession(true);
    // Its last beat is still this person's.
    closePlayer();
    // Send pending events first, but do not let a slow connection delay signing out.
    await Promise.race([outbox.flush(), new Promise((done) => setTimeout(done, SIGN_OUT_PATIENCE_MS))]);
    await signOut();
  };
  return (
    <div className={classes.page}>
      <h1>{ME.title}</h1>
      <Person orgId={organisation.uid} />
      {/* Staff are not counted, but may have agreed before: a yes can always be taken back. */}
      {isFollowed(organisation) || organisation.consent === true ? (
        <ConsentSection organisation={organisation} />
      ) : null}
      {isFollowed(organisation) ? <EmailsSection organisation={organisation} /> : null}
      <InstallSection name={organisation.name} />
      <Appearance />
      <LanguageChoice />
      <section className={classes.card} aria-labelledby="account">
        <h2 id="account">{ME.account}</h2>
        <div className={classes.pairs}>
          <Button busy={leavingSession} onClick={() => void onSignOut()}>
            {ME.signOut}
          </Button>
          <Link to="/org/$orgId/me/data" params={{ orgId: organisation.uid }} className={buttonClass()}>
            {ME.data}
          </Link>
          {isFollowed(organisation) ? (
            <LeaveButton organisation={organisation} onLeft={() => navigate({ to: '/', replace: true })}>
              {ME.leave}
            </LeaveButton>
          ) : null}
          <EraseAccount />
        </div>
      </section>
      {/* Last: these grow when they are loaded. */}
      <KeptConsents />
      <DevicesSection />
    </div>
  );
}

function Person({ orgId }: { orgId: string }) {
  const { data } = useQuery(profileQuery);
  return (
    <section className={classes.person}>
      <span className={classes.avatar}>
        {data === undefined ? (
          <Skeleton height="48px" width="48px" />
        ) : (
          <Logo name={`${data.firstName} ${data.lastName}`} url={imageAt(data.photoURL, 96)} size={48} />
        )}
      </span>
      <div>
        <p className={classes.name}>
          {data === undefined ? <Skeleton height="20px" width="160px" /> : `${data.firstName} ${data.lastName}`}
        </p>
        <p className={classes.dimmed}>{data?.email ?? <Skeleton height="16px" width="200px" />}</p>
      </div>
      <Link to="/details" className={buttonClass()} onClick={() => rememberPath(`/org/${orgId}/me`)}>
        {ME.edit}
      </Link>
    </section>
  );
}
