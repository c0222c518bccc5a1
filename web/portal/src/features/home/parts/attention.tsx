/** What needs attention: failed processing, full storage, invitations without an answer. */
import { ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconDatabase, IconMail, type TablerIcon } from '@tabler/icons-react';
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { OpenInviteOut, UsageOut } from '@vitrine/api';
import { usageQuery } from '~/features/billing/api/account-queries.ts';
import { accountsQuery } from '~/features/billing/api/billing-queries.ts';
import { openInvitesQuery } from '~/features/members/api/member-queries.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { count, fileSize, percent } from '~/shared/lib/format.ts';
import { failedContentQuery } from '../api/insights.ts';
import { Card, CardFailed, CardNote } from './card.tsx';
import classes from './insights.module.css';
import { insightTexts } from './texts.ts';

/** One thing to look at. */
interface Matter {
  icon: TablerIcon;
  color: string;
  title: string;
  hint: string;
  to: string;
  search?: Record<string, string>;
}

/** What the person's role allows to check. */
export interface Matters {
  matters: readonly Matter[];
  pending: boolean;
  failed: boolean;
}

export function useMatters(): Matters {
  const all = [useFailedProcessing(), useFullStorage(), useOpenInvites()];
  return {
    matters: all.flatMap(({ matter }) => (matter === null ? [] : [matter])),
    pending: all.some(({ pending }) => pending),
    failed: all.some(({ failed }) => failed),
  };
}

export function Attention({ matters, failed }: Omit<Matters, 'pending'>) {
  return (
    <Card title={insightTexts.attention}>
      {matters.length === 0 && failed ? (
        <CardFailed />
      ) : matters.length === 0 ? (
        <CardNote title={insightTexts.allWell} />
      ) : (
        <ul className={classes.list}>
          {matters.map(({ icon: Icon, color, title, hint, to, search }) => (
            <li key={title} className={classes.row}>
              <ThemeIcon variant="light" color={color} size={36} radius="md" aria-hidden>
                <Icon size={20} stroke={1.7} />
              </ThemeIcon>
              <div className={classes.words}>
                <Link to={to} {...(search === undefined ? {} : { search })} className={classes.name}>
                  {title}
                </Link>
                <div className={classes.hint}>{hint}</div>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

interface Check {
  matter: Matter | null;
  pending: boolean;
  failed: boolean;
}

function useFailedProcessing(): Check {
  const { orgId } = useCurrentOrg();
  const query = useQuery(failedContentQuery(orgId));
  const [first, ...others] = query.data?.items ?? [];
  const plus = query.data?.more ? '+' : '';
  return {
    pending: query.isPending,
    failed: query.isError,
    matter:
      first === undefined
        ? null
        : {
            icon: IconAlertTriangle,
            color: 'red',
            title: insightTexts.processing(`${count(others.length + 1)}${plus}`, others.length === 0),
            hint: insightTexts.processingHint(first.title, others.length === 0 ? '' : `${count(others.length)}${plus}`),
            to: `/org/${orgId}/playlists`,
            search: { tab: 'all' },
          },
  };
}

/** The share of the storage from which there is something to do. */
const NEARLY_FULL = 0.9;

/** Only people who manage the billing account can see how much is used, and do something about it. */
function useFullStorage(): Check {
  const { orgId, can } = useCurrentOrg();
  const enabled = can(policies.organisationUpdate);
  const accounts = useQuery({ ...accountsQuery, enabled });
  const found = useQueries({
    queries: (accounts.data?.accounts ?? []).map(({ uid }) => usageQuery(uid)),
    combine: (all) => ({
      pending: all.some(({ isPending }) => isPending),
      failed: all.some(({ isError }) => isError),
      usage: all.flatMap(({ data }) => data ?? []),
    }),
  });
  const storage = found.usage.find((one) => one.orgId === orgId)?.storage;
  return {
    pending: enabled && (accounts.isPending || found.pending),
    failed: accounts.isError || found.failed,
    matter: storageMatter(storage),
  };
}

function storageMatter(storage: UsageOut['storage'] | undefined): Matter | null {
  if (storage === undefined || typeof storage.allowed !== 'number') return null;
  const share = storage.allowed === 0 ? 1 : storage.used / storage.allowed;
  if (share < NEARLY_FULL) return null;
  return {
    icon: IconDatabase,
    color: share >= 1 ? 'red' : 'yellow',
    title: share >= 1 ? insightTexts.storageFull : insightTexts.storageNearly(percent(Math.floor(share * 100) / 100)),
    hint: insightTexts.storageHint(fileSize(storage.used), fileSize(storage.allowed)),
    to: '/billing',
  };
}

function useOpenInvites(): Check {
  const { orgId, can } = useCurrentOrg();
  const enabled = can(policies.usersList);
  const staff = useInfiniteQuery({ ...openInvitesQuery(orgId, false), enabled });
  const viewers = useInfiniteQuery({ ...openInvitesQuery(orgId, true), enabled });
  const both = [staff, viewers];
  const open = both.flatMap(({ data }) => data?.pages.flat() ?? []);
  const more = both.some(({ hasNextPage }) => hasNextPage);
  return {
    pending: enabled && both.some(({ isPending }) => isPending),
    failed: both.some(({ isError }) => isError),
    matter: open.length === 0 ? null : inviteMatter(orgId, open, more),
  };
}

function inviteMatter(orgId: string, open: readonly OpenInviteOut[], more: boolean): Matter {
  const expired = open.filter(({ status }) => status !== 'pending').length;
  const [first] = open;
  return {
    icon: IconMail,
    color: 'blue',
    title: insightTexts.invites(`${count(open.length)}${more ? '+' : ''}`, open.length === 1 && !more),
    hint: expired > 0 ? insightTexts.invitesExpired(expired) : (first?.userEmail ?? ''),
    to: `/org/${orgId}/users`,
  };
}
