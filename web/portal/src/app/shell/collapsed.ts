/** Whether the sidebar shows icons only; remembered in this browser. */
import { useLocalStorage } from '@mantine/hooks';

/** Read at the first render already: the sidebar never starts wide only to shrink. */
export function useCollapsed() {
  return useLocalStorage({
    key: 'vitrine.sidebarCollapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
}
