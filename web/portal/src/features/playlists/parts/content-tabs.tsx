/** The tabs of the content screen; each has its own URL. */
import { Link } from '@tanstack/react-router';
import { contentTexts } from '~/features/content/texts.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import type { ContentSearch } from '../search.ts';
import { playlistTexts } from '../texts.ts';
import classes from './content-tabs.module.css';

export function ContentTabs({ orgId, tab }: { orgId: string; tab: ContentSearch['tab'] }) {
  const { can } = useCurrentOrg();
  // All link to the same path, so the router cannot tell which is current.
  const to = {
    to: '/org/$orgId/playlists',
    params: { orgId },
    activeOptions: { exact: true, includeSearch: true },
  } as const;
  return (
    <nav className={classes.tabs} aria-label={playlistTexts.sections}>
      <Link {...to} search={{}} className={classes.tab} aria-current={tab === undefined ? 'page' : undefined}>
        {contentTexts.byPlaylist}
      </Link>
      <Link {...to} search={{ tab: 'all' }} className={classes.tab} aria-current={tab === 'all' ? 'page' : undefined}>
        {contentTexts.allContent}
      </Link>
      {can(policies.playlistUpdate) && (
        <Link
          {...to}
          search={{ tab: 'deleted' }}
          className={classes.tab}
          aria-current={tab === 'deleted' ? 'page' : undefined}
        >
          {playlistTexts.deletedTab}
        </Link>
      )}
    </nav>
  );
}
