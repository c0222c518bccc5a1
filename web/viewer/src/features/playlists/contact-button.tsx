/** The contact of a playlist; a tap counts toward the lead score. */
import type { JoinedOrganisationOut, PlaylistOut } from '@vitrine/api';
import { Icon, type IconName } from '@vitrine/brand/icon';
import { useId, useState } from 'react';
import { reportInteraction } from '~/features/watch/interactions.ts';
import { Button, buttonClass } from '~/shared/ui/button.tsx';
import classes from './contact-button.module.css';
import { PLAYLISTS } from './texts.ts';

interface ContactButtonProps {
  organisation: JoinedOrganisationOut;
  playlist: PlaylistOut;
}

interface Way {
  icon: IconName;
  href: string;
  label: string;
  shown: string;
}

/** One button; it opens the two ways, or is the only one itself. Renders nothing if the playlist has no contact. */
export function ContactButton({ organisation, playlist }: ContactButtonProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const ways = waysOf(playlist.contact);
  const tapped = () => reportInteraction(organisation, 'contact', { playlistId: playlist.uid });
  const [only] = ways;
  if (only === undefined) return null;
  if (ways.length === 1) {
    return (
      <a href={only.href} className={buttonClass('primary', true)} onClick={tapped}>
        <Icon name={only.icon} />
        <span className={classes.stack}>
          {PLAYLISTS.contact(organisation.name)}
          <small>{only.shown}</small>
        </span>
      </a>
    );
  }
  return (
    <div className={classes.contact}>
      <Button tone="primary" wide aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name="mail" />
        {PLAYLISTS.contact(organisation.name)}
      </Button>
      <div id={id} className={classes.ways} hidden={!open}>
        {ways.map(({ icon, href, label, shown }) => (
          <a key={href} href={href} className={buttonClass('plain', true)} onClick={tapped}>
            <Icon name={icon} />
            <span className={classes.stack}>
              {label}
              <small>{shown}</small>
            </span>
          </a>
        ))}
      </div>
    </div>
  );
}

function waysOf({ email, phoneNumber }: PlaylistOut['contact']): Way[] {
  const ways: Way[] = [];
  if (phoneNumber !== '') {
    const href = `tel:${phoneNumber.replaceAll(/[^\d+]/g, '')}`;
    ways.push({ icon: 'phone', href, label: PLAYLISTS.call, shown: phoneNumber });
  }
  if (email !== '') {
    const href = `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
    ways.push({ icon: 'mail', href, label: PLAYLISTS.write, shown: email });
  }
  return ways;
}
