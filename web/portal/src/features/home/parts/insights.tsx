/** How the last 28 days went, and the cards beside them. Loaded after the first paint. */
import { Anchor, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { overviewQuery } from '~/features/analytics/api/analytics-queries.ts';
import { changeOf } from '~/features/analytics/change.ts';
import { TrendTile } from '~/features/analytics/parts/trend-tile.tsx';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { count, wholeMinutes } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { activityQuery, newLeadsQuery, newPeopleQuery } from '../api/insights.ts';
import { Activity } from './activity.tsx';
import { Attention, useMatters } from './attention.tsx';
import { HotLeads } from './hot-leads.tsx';
import classes from './insights.module.css';
import { RailSkeleton } from './insights-skeleton.tsx';
import { RetryFailed } from './retry-failed.tsx';
import { insightTexts } from './texts.ts';

export { FirstSteps } from './first-steps.tsx';

/** The last 28 days against the 28 before. */
export function Trends() {
  const { orgId, timeZone, can } = useCurrentOrg();
  const overview = useQuery(overviewQuery(orgId, timeZone, '28d'));
  const people = useQuery({ ...newPeopleQuery(orgId, timeZone), enabled: can(policies.usersList) });
  const leads = useQuery(newLeadsQuery(orgId, timeZone));
  const { data } = overview;
  const failed = data === undefined && overview.isError;
  const change = (key: 'views' | 'watchTimeMs') =>
    data && changeOf(data[key], data.previous[key], insightTexts.before, data.previousLimitedFrom);
  return (
    <section className={classes.trends} aria-labelledby="last-days">
      <div className={classes.head}>
        <Title order={2} fz={18} id="last-days">
          {insightTexts.lastDays}
        </Title>
        {[overview, people, leads].some(({ data, errorUpdateCount }) => data === undefined && errorUpdateCount > 0) && (
          <RetryFailed />
        )}
        <Anchor component={Link} to={`/org/${orgId}/analytics`} fz="sm">
          {insightTexts.toAnalytics}
        </Anchor>
      </div>
      <div className={classes.tiles}>
        <TrendTile
          label={insightTexts.views}
          value={data && count(data.views)}
          note={failed ? commonTexts.contentError : change('views')}
          days={data?.days.map(({ views }) => views)}
          color="purple"
          failed={failed}
          bars
        />
        <TrendTile
          label={insightTexts.watchTime}
          value={data && commonTexts.minutes(wholeMinutes(data.watchTimeMs))}
          note={failed ? commonTexts.contentError : change('watchTimeMs')}
          days={data?.days.map(({ watchTimeMs }) => watchTimeMs)}
          failed={failed}
          bars
        />
        {can(policies.usersList) && (
          <CountTile
            label={insightTexts.newPeople}
            query={people}
            data={people.data && { ...people.data, now: people.data.newPeople }}
            color="teal"
          />
        )}
        <CountTile
          label={insightTexts.newLeads}
          query={leads}
          data={leads.data && { ...leads.data, now: leads.data.newLeads }}
          color="blue"
        />
      </div>
      <Text c="dimmed" fz="xs" mt="xs">
        {commonTexts.daysFollow(timeZone)}
      </Text>
    </section>
  );
}

interface CountTileProps {
  label: string;
  query: { isError: boolean };
  data: { now: number; previous: number; days: readonly { value: number }[] } | undefined;
  color: string;
}

function CountTile({ label, query, data, color }: CountTileProps) {
  const failed = data === undefined && query.isError;
  return (
    <TrendTile
      label={label}
      value={data && count(data.now)}
      note={failed ? commonTexts.contentError : data && changeOf(data.now, data.previous, insightTexts.before)}
      days={data?.days.map(({ value }) => value)}
      color={color}
      failed={failed}
      bars
    />
  );
}

/** What needs attention, hot leads and recent activity. All at once, so that no card pushes another down. */
export function Rail() {
  const { orgId, timeZone } = useCurrentOrg();
  const { pending, ...attention } = useMatters();
  const leads = useQuery(newLeadsQuery(orgId, timeZone));
  const activity = useQuery(activityQuery(orgId));
  const ready = !(pending || leads.isPending || activity.isPending);
  // A card that is loaded again stays, with what the others show and with the focus.
  const [shown, setShown] = useState(ready);
  if (ready && !shown) setShown(true);
  if (!ready && !shown) return <RailSkeleton />;
  return (
    <div className={classes.rail}>
      <Attention {...attention} />
      <HotLeads />
      <Activity />
    </div>
  );
}
