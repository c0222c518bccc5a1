/** What is stored about the person: a readable list, and the same as a file. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Icon } from '@vitrine/brand/icon';
import type { ReactNode } from 'react';
import { useOrganisation } from '~/features/organisations/current.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button, buttonClass } from '~/shared/ui/button.tsx';
import { FailedState, Loading, Skeleton } from '~/shared/ui/states.tsx';
import { exportQuery } from './calls.ts';
import classes from './me-page.module.css';
import { labelOf, namesIn, partsOf } from './model.ts';
import { StoredValue } from './stored-value.tsx';
import { ME } from './texts.ts';

const FILE = 'vitrine-my-data.json';

/** /app/org/{orgId}/me/data */
export function MyDataPage() {
  const { uid: orgId } = useOrganisation();
  return (
    <MyData>
      <Link to="/org/$orgId/me" params={{ orgId }} className={buttonClass('quiet')}>
        <Icon name="back" size={16} />
        {ME.backToMe}
      </Link>
    </MyData>
  );
}

/** /app/my-data: for people without an organisation. */
export function OwnDataPage() {
  return (
    <main>
      <MyData>
        <Link to="/" className={buttonClass('quiet')}>
          <Icon name="back" size={16} />
          {ME.backToMe}
        </Link>
      </MyData>
    </main>
  );
}

/** The way back, and the list. */
function MyData({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery(exportQuery);
  useTitle(ME.data);
  const names = namesIn(data);
  return (
    <div className={classes.page}>
      <div className={classes.back}>{children}</div>
      <h1>{ME.data}</h1>
      <p className={classes.dimmed}>{ME.dataLead}</p>
      {error === null ? null : <FailedState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? (
        <Loading>
          <Skeleton height="100dvh" />
        </Loading>
      ) : null}
      {data === undefined ? null : (
        <>
          <Button onClick={() => save(data)}>{ME.dataDownload}</Button>
          {partsOf(data).map(([key, value]) => (
            <section key={key} className={classes.card}>
              <h2>{ME.dataLabels[key] ?? labelOf(key)}</h2>
              <StoredValue value={value} names={names} field={key} />
            </section>
          ))}
        </>
      )}
    </div>
  );
}

/** Saves what is shown, so that list and file cannot differ. */
function save(data: Record<string, unknown>): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = FILE;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
