/** Shown to signed-in people who have not joined an organisation. */
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { KeptConsents } from '~/features/organisations/kept-consents.tsx';
import { organisationsQuery } from '~/features/organisations/queries.ts';
import { ORGANISATIONS } from '~/features/organisations/texts.ts';
import { useSignOut } from '~/features/session/calls.ts';
import { PRODUCT } from '~/shared/lib/product.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button, buttonClass } from '~/shared/ui/button.tsx';
import { State } from '~/shared/ui/states.tsx';
import { EraseAccount } from './erase-account.tsx';
import classes from './none-page.module.css';
import { ME } from './texts.ts';

/** /app/ without an organisation. */
export function NonePage() {
  const client = useQueryClient();
  const router = useRouter();
  const signOut = useSignOut();
  useTitle(PRODUCT);
  const again = async () => {
    await client.invalidateQueries({ queryKey: organisationsQuery.queryKey });
    await router.invalidate();
  };
  return (
    <main>
      <State icon="link" title={ORGANISATIONS.noneTitle} text={ORGANISATIONS.noneText}>
        <div className={classes.actions}>
          <Button onClick={() => void again()}>{ORGANISATIONS.refresh}</Button>
        </div>
        <KeptConsents />
        <div className={classes.actions}>
          <Link to="/my-data" className={buttonClass()}>
            {ME.data}
          </Link>
          <Button onClick={() => void signOut()}>{ORGANISATIONS.signOut}</Button>
          <EraseAccount />
        </div>
      </State>
    </main>
  );
}
