/** Invitations that were not answered, with buttons to send them again and to revoke them. */
import { Badge, Button, Center, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { OpenInviteOut } from '@vitrine/api';
import { Suspense, useId, useRef, useState } from 'react';
import { organisationQuery } from '~/features/orgs/api/org-queries.ts';
import { roleLabels } from '~/features/orgs/roles.ts';
import { nameOf } from '~/features/profile/model.ts';
import { session } from '~/shared/api/session.ts';
import { timeOrDate } from '~/shared/lib/format.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import list from '~/shared/ui/row-list.module.css';
import { Surface } from '~/shared/ui/surface.tsx';
import { useFailureToast } from '~/shared/ui/use-failure-toast.ts';
import { useResendInvite, useRevokeInvite } from '../api/member-mutations.ts';
import { openInvitesQuery } from '../api/member-queries.ts';
import { memberTexts } from '../texts.ts';
import classes from './open-invites.module.css';

const ConfirmDialog = lazyPart(() => import('~/shared/ui/confirm-dialog.tsx'), 'ConfirmDialog');

/** So many are shown at once; more would push the people below out of sight, so they open on request. */
const FEW = 2;

const colours = { pending: 'blue', expired: 'gray', void: 'gray' } as const;

/** Those to the staff, or those of viewers. Shows nothing while there is no open invitation. */
export function OpenInvites({ orgId, viewers }: { orgId: string; viewers: boolean }) {
  const id = useId();
  const title = useRef<HTMLElement>(null);
  const query = useInfiniteQuery(openInvitesQuery(orgId, viewers));
  const organisation = useQuery(organisationQuery(orgId));
  const [asked, setAsked] = useState<OpenInviteOut | null>(null);
  const [opened, setOpened] = useState<boolean | null>(null);
  const resend = useResendInvite(orgId);
  const revoke = useRevokeInvite(orgId);
  useFailureToast(query, memberTexts.invitesFailed);
  const invites = query.data?.pages.flat() ?? [];
  if (invites.length === 0) return null;
  const assignable = organisation.data?.assignableRoles ?? [];
  // The right to invite staff includes viewers.
  const mayManage = ({ role }: OpenInviteOut) => (viewers ? assignable.length > 0 : assignable.includes(role));
  // The browser reports the first opening, too, which no one asked for.
  const toggled = ({ currentTarget: { open } }: { currentTarget: HTMLDetailsElement }) =>
    setOpened((before) => (before === null && open === invites.length <= FEW ? null : open));
  const confirm = () => {
    if (asked === null) return;
    revoke.mutate(asked.uid, {
      // The row with the focused button is gone.
      onSettled: () => {
        setAsked(null);
        title.current?.focus();
      },
    });
  };
  return (
    <Surface as="section" flush className={list.card ?? ''}>
      <details open={opened ?? invites.length <= FEW} onToggle={toggled}>
        <summary ref={title} className={classes.summary}>
          <Title order={2} fz={16} id={id}>
            {viewers ? memberTexts.viewerInvites : memberTexts.staffInvites}
          </Title>
          <Text c="dimmed" fz="sm" className="tabular">
            {memberTexts.inviteCount(invites.length, query.hasNextPage)}
          </Text>
        </summary>
        <ul className={list.rows} aria-labelledby={id}>
          {invites.map((invite) => (
            <li key={invite.userEmail} className={list.row}>
              <div className={list.words}>
                <div className={`${list.title} ${classes.title}`}>
                  {invite.userEmail}
                  <Badge color={colours[invite.status]}>{memberTexts.inviteStatus[invite.status]}</Badge>
                </div>
                <Text c="dimmed" fz="sm">
                  {viewers ? '' : `${roleLabels[invite.role]} · `}
                  {sentBy(invite, session.now(query.dataUpdatedAt))}
                </Text>
              </div>
              {mayManage(invite) && (
                <div className={list.actions}>
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={memberTexts.resendTo(invite.userEmail)}
                    loading={resend.isPending && resend.variables === invite.uid}
                    onClick={({ detail }) => {
                      // The answer may be there before the second click of a double click.
                      if (detail < 2) resend.mutate(invite.uid);
                    }}
                  >
                    {memberTexts.resend}
                  </Button>
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={memberTexts.revokeFor(invite.userEmail)}
                    onClick={() => setAsked(invite)}
                  >
                    {memberTexts.revoke}
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ul>
        {/* On request only: hundreds of invitations would keep the people below out of reach. */}
        {query.hasNextPage && (
          <Center py="sm">
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {commonTexts.showMore}
            </Button>
          </Center>
        )}
      </details>
      <Suspense>
        {asked !== null && (
          <ConfirmDialog
            opened
            action={memberTexts.revoke}
            busy={revoke.isPending}
            onConfirm={confirm}
            onClose={() => setAsked(null)}
          >
            {memberTexts.revokeQuestion(asked.userEmail)}
          </ConfirmDialog>
        )}
      </Suspense>
    </Surface>
  );
}

function sentBy({ timeSent, invitedBy }: OpenInviteOut, now: number): string {
  return memberTexts.invitedBy(timeOrDate(timeSent, now), invitedBy ? nameOf(invitedBy) : '');
}
