/** Starts the queries of the reports and of the leads. A file apart: Home and the sign-in do not load it. */
import {
  contentReportQuery,
  overviewQuery,
  playlistReportQuery,
  verdictsQuery,
  watchTimeQuery,
} from '~/features/analytics/api/analytics-queries.ts';
import { rangeOf } from '~/features/analytics/ranges.ts';
import type { ReportSearch } from '~/features/analytics/search.ts';
import { leadQuery, leadsQuery } from '~/features/leads/api/lead-queries.ts';
import { filterOf, type LeadSearch } from '~/features/leads/search.ts';
import type { LoaderArgs, OrgLoaderArgs } from './loaders.ts';
import { known, mayOpen } from './may-open.ts';
import { routePolicies } from './route-policies.ts';

/** Returns the organisation's zone, which the queries need, if the person may open the screen and it is known. */
function zoneOf({ context: { queryClient }, params: { orgId } }: OrgLoaderArgs, path: keyof typeof routePolicies) {
  if (!mayOpen(queryClient, orgId, routePolicies[path])) return undefined;
  return known(queryClient, orgId)?.organisation.timeZone;
}

export function analytics(args: OrgLoaderArgs & { deps: ReportSearch }): void {
  const timeZone = zoneOf(args, '/analytics');
  if (timeZone === undefined) return;
  const { context, params, deps } = args;
  const range = rangeOf(deps.range);
  void context.queryClient.prefetchQuery(overviewQuery(params.orgId, timeZone, range));
  void context.queryClient.prefetchQuery(watchTimeQuery(params.orgId, timeZone, range, 'days'));
  void context.queryClient.prefetchQuery(verdictsQuery(params.orgId, timeZone, range));
}

export function contentReport(
  args: LoaderArgs & { params: { orgId: string; contentId: string }; deps: ReportSearch },
): void {
  const timeZone = zoneOf(args, '/analytics/content/$contentId');
  if (timeZone === undefined) return;
  const { orgId, contentId } = args.params;
  const query = contentReportQuery(orgId, timeZone, contentId, rangeOf(args.deps.range));
  void args.context.queryClient.prefetchQuery(query);
}

export function playlistReport(
  args: LoaderArgs & { params: { orgId: string; playlistId: string }; deps: ReportSearch },
): void {
  const timeZone = zoneOf(args, '/analytics/playlists/$playlistId');
  if (timeZone === undefined) return;
  const { orgId, playlistId } = args.params;
  const query = playlistReportQuery(orgId, timeZone, playlistId, rangeOf(args.deps.range));
  void args.context.queryClient.prefetchQuery(query);
}

export function leads({
  context: { queryClient },
  params: { orgId },
  deps,
}: OrgLoaderArgs & { deps: LeadSearch }): void {
  if (!mayOpen(queryClient, orgId, routePolicies['/leads'])) return;
  void queryClient.prefetchInfiniteQuery(leadsQuery(orgId, filterOf(deps)));
  if (deps.lead !== undefined) void queryClient.prefetchQuery(leadQuery(orgId, deps.lead));
}
