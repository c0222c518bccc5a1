/** What the browser installs: the app of the organisation that is open, instead of the product's. */
import { useEffect } from 'react';
import { forgetInstallOffer } from './install-offer.ts';

/** Addresses that people inside an organisation are given, and its name. */
interface Installable {
  manifestUrl?: string | null;
  appIconUrl?: string | null;
  name: string;
}

/** Links the manifest and the icon of an organisation while its screens are mounted. */
export function useInstallLinks(organisation: Installable | undefined): void {
  const { manifestUrl, appIconUrl, name } = organisation ?? {};
  useEffect(() => {
    if (manifestUrl) forgetInstallOffer();
    return linked('link', 'rel', 'manifest', 'href', manifestUrl);
  }, [manifestUrl]);
  useEffect(() => linked('link', 'rel', 'apple-touch-icon', 'href', appIconUrl), [appIconUrl]);
  useEffect(() => linked('meta', 'name', 'apple-mobile-web-app-title', 'content', name), [name]);
}

/** Sets an element of the head, and returns what takes that back. */
function linked(tag: 'link' | 'meta', key: string, kind: string, attribute: string, value: string | null | undefined) {
  if (value == null || value === '') return;
  const found = document.head.querySelector(`${tag}[${key}="${kind}"]`);
  const element = found ?? document.head.appendChild(document.createElement(tag));
  const before = element.getAttribute(attribute);
  element.setAttribute(key, kind);
  element.setAttribute(attribute, value);
  return () => {
    if (before === null) element.remove();
    else element.setAttribute(attribute, before);
  };
}
