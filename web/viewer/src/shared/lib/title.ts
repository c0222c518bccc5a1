/** The title of the browser tab: that of the page, and whose app it is. */
import { useEffect } from 'react';
import { PRODUCT } from './product.ts';

let page: string | undefined;
let site: string | undefined;

function show(): void {
  const name = site ?? PRODUCT;
  document.title = page === undefined || page === '' || page === name ? name : `${page} · ${name}`;
}

/** Sets the part of the page. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    page = title;
    show();
  }, [title]);
}

/** Names the organisation in place of the product while a screen in its brand is mounted. */
export function useSiteName(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return;
    site = name;
    show();
    return () => {
      site = undefined;
      show();
    };
  }, [name]);
}
