/** The steps of the first hour of an organisation, each with its button until it is done. */
import { Button, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { allContentQuery } from '~/features/content/api/content-queries.ts';
import { openInvitesQuery, peopleQuery } from '~/features/members/api/member-queries.ts';
import { organisationQuery } from '~/features/orgs/api/org-queries.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { playlistsQuery } from '~/features/playlists/api/playlist-queries.ts';
import type { Step } from '../first-steps.ts';
import classes from './first-steps.module.css';
import { stepTexts } from './texts.ts';

interface FirstStepsProps {
  steps: readonly Step[];
  /** Shown until it is known which steps are done. */
  waiting: ReactNode;
  /** Called if the person hides the steps, and when all of them are done. */
  onClose: () => void;
}

export function FirstSteps({ steps, waiting, onClose }: FirstStepsProps) {
  const { orgId } = useCurrentOrg();
  const { done, pending } = useDone(steps);
  const amount = steps.filter((step) => done.has(step)).length;
  const all = !pending && amount === steps.length;
  useEffect(() => {
    if (all) onClose();
  }, [all, onClose]);
  if (pending) return waiting;
  const next = steps.find((step) => !done.has(step));
  return (
    <section className={classes.steps} aria-labelledby="first-steps">
      <div className={classes.head}>
        <Title order={3} id="first-steps">
          {stepTexts.title(amount, steps.length)}
        </Title>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onClose}>
          {stepTexts.hide}
        </Button>
      </div>
      <ol className={classes.list}>
        {steps.map((step, index) => (
          <li key={step} className={classes.step} data-done={done.has(step) || undefined}>
            <span className={classes.mark} aria-hidden="true">
              {done.has(step) ? <IconCheck size={15} stroke={2.5} /> : index + 1}
            </span>
            <span className={classes.what}>
              {stepTexts.steps[step].what}
              {done.has(step) && <VisuallyHidden>{stepTexts.done}</VisuallyHidden>}
            </span>
            {!done.has(step) && (
              <Button
                component={Link}
                to={pageOf(orgId, step)}
                size="xs"
                variant={step === next ? 'filled' : 'default'}
              >
                {stepTexts.steps[step].button}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function pageOf(orgId: string, step: Step): string {
  if (step === 'colleague') return `/org/${orgId}/users`;
  return step === 'playlist' || step === 'upload' ? `/org/${orgId}/playlists` : `/org/${orgId}/profile`;
}

/** Which steps are done. One that could not be checked counts as not done. */
function useDone(steps: readonly Step[]): { done: ReadonlySet<Step>; pending: boolean } {
  const { orgId } = useCurrentOrg();
  const asks = (step: Step) => ({ enabled: steps.includes(step) });
  const organisation = useQuery({ ...organisationQuery(orgId), ...asks('link') });
  const playlists = useInfiniteQuery({ ...playlistsQuery(orgId, { search: '', sort: 'new' }), ...asks('playlist') });
  const everything = { search: '', kind: null, loose: false };
  const content = useInfiniteQuery({ ...allContentQuery(orgId, everything), ...asks('upload') });
  const staff = useInfiniteQuery({ ...peopleQuery(orgId, { search: '', admins: true }), ...asks('colleague') });
  const invites = useInfiniteQuery({ ...openInvitesQuery(orgId, false), ...asks('colleague') });
  const known: Readonly<Record<Step, boolean>> = {
    brand: (organisation.data?.logoUrl ?? '') !== '',
    playlist: (playlists.data?.pages[0]?.length ?? 0) > 0,
    upload: (content.data?.pages[0]?.length ?? 0) > 0,
    link: (organisation.data?.publicJoinUrl ?? '') !== '',
    colleague: (staff.data?.pages[0]?.data.length ?? 0) > 1 || (invites.data?.pages[0]?.length ?? 0) > 0,
  };
  return {
    done: new Set(steps.filter((step) => known[step])),
    pending: [organisation, playlists, content, staff, invites].some(({ isLoading }) => isLoading),
  };
}
