/** The contact of a playlist; a tap counts toward the lead score. */
import type { JoinedOrganisationOut, PlaylistOut } from '@vitrine/api';
import { reportInteraction } from '~/features/watch/interactions.ts';
import { Icon } from '~/shared/ui/icon.tsx';
import classes from './contact-line.module.css';

interface ContactLineProps {
  organisation: JoinedOrganisationOut;
  playlist: PlaylistOut;
}

/** Renders nothing if the playlist has no contact. */
export function ContactLine({ organisation, playlist }: ContactLineProps) {
  const { email, phoneNumber } = playlist.contact;
  const tapped = () => reportInteraction(organisation, 'contact', { playlistId: playlist.uid });
  if (email === '' && phoneNumber === '') return null;
  return (
    <p className={classes.line}>
      {email === '' ? null : (
        <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`} onClick={tapped}>
          <Icon name="mail" size={16} />
          {email}
        </a>
      )}
      {phoneNumber === '' ? null : (
        <a href={`tel:${phoneNumber.replaceAll(/[^\d+]/g, '')}`} onClick={tapped}>
          <Icon name="phone" size={16} />
          {phoneNumber}
        </a>
      )}
    </p>
  );
}
