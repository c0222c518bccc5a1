/** The title of the browser tab. */
import { useEffect } from 'react';
import { PRODUCT } from './product.ts';

/** Sets the document title. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT}` : PRODUCT;
  }, [title]);
}
