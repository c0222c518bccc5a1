/** What Home shows if nothing is popular: the steps of the first hour, or the way to the content. */
import { Button, Skeleton } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { EmptyState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { areHidden, hide, stepsFor } from '../first-steps.ts';
import { homeTexts } from '../texts.ts';
import classes from './first-steps.module.css';

// In the file of the other parts that load after the first paint.
const FirstSteps = lazyPart(() => import('./insights.tsx').then(({ FirstSteps }) => ({ FirstSteps })), 'FirstSteps');

/** `before` if something was watched before the last 28 days, or was deleted since. */
export function NothingWatched({ before }: { before: boolean }) {
  const { orgId, can } = useCurrentOrg();
  const [hidden, setHidden] = useState(() => areHidden(orgId));
  const steps = stepsFor(can);
  const close = () => {
    hide(orgId);
    setHidden(true);
  };
  return (
    <Surface>
      <EmptyState
        icon={IconPlayerPlay}
        title={before ? homeTexts.nothingPopular : homeTexts.nothingWatched}
        hint={before ? homeTexts.nothingPopularHint : homeTexts.nothingWatchedHint}
        action={
          hidden || before || steps.length === 0 ? (
            <Button component={Link} to={`/org/${orgId}/playlists`} variant="default">
              {homeTexts.toContent}
            </Button>
          ) : (
            <Suspense fallback={<StepsSkeleton rows={steps.length} />}>
              <FirstSteps steps={steps} waiting={<StepsSkeleton rows={steps.length} />} onClose={close} />
            </Suspense>
          )
        }
      />
    </Surface>
  );
}

/** As high as the steps. */
function StepsSkeleton({ rows }: { rows: number }) {
  return (
    <div className={classes.steps} aria-busy="true">
      <div className={classes.head}>
        <Skeleton height={14} width={150} />
      </div>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row.toString()} className={classes.step}>
          <Skeleton circle height={24} width={24} />
          <Skeleton height={12} width="50%" />
        </div>
      ))}
    </div>
  );
}
