/** Whether the sidebar shows icons only; stored in this browser. */
import { useLocalStorage } from '@mantine/hooks';

/** Reads the stored value on the first render, so that the sidebar does not start wide and then shrink. */
export function useCollapsed() {
  return useLocalStorage({
    key: 'vitrine.sidebarCollapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
}
