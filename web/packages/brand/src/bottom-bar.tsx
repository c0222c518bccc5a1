/** Where the screens of an organisation lead: at the bottom of phones, in reach of the thumb, otherwise in the bar. */
import classes from './bottom-bar.module.css';
import { Icon, type IconName } from './icon.tsx';

/** The class of the navigation on phones; `appBar.nav` is the one in the bar. */
export const bottomBar = classes.bar ?? '';

/** A screen that can be reached from everywhere. */
export type NavigationPlace = 'home' | 'search' | 'me';

/** All of them, in their order. */
export const navigationPlaces: readonly NavigationPlace[] = ['home', 'search', 'me'];

const ICONS: Record<NavigationPlace, IconName> = { home: 'home', search: 'search', me: 'person' };

/** Inside a link, which is marked with `aria-current` on its own screen. */
export function NavigationFace({ place, label }: { place: NavigationPlace; label: string }) {
  return (
    <>
      <Icon name={ICONS[place]} />
      <span>{label}</span>
    </>
  );
}
