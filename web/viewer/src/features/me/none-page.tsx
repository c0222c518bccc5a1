/** Shown to signed-in people who have not joined an organisation. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { PRODUCT } from '~/shared/lib/product.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button } from '~/shared/ui/button.tsx';
import { State } from '~/shared/ui/states.tsx';
import { KeptConsents } from './kept-consents.tsx';
import { organisationsQuery } from './queries.ts';
import { ORGANISATIONS } from './texts.ts';

/** /app/ without an organisation. */
export function NonePage() {
  const client = useQueryClient();
  const router = useRouter();
  useTitle(PRODUCT);
  const again = async () => {
    await client.invalidateQueries({ queryKey: organisationsQuery.queryKey });
    await router.invalidate();
  };
  return (
    <main>
      <State icon="link" title={ORGANISATIONS.noneTitle} text={ORGANISATIONS.noneText}>
        <Button onClick={() => void again()}>{ORGANISATIONS.refresh}</Button>
        <KeptConsents />
      </State>
    </main>
  );
}
