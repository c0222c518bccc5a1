/** For a signed-in person who has joined nothing yet. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { PRODUCT } from '~/shared/lib/product.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button } from '~/shared/ui/button.tsx';
import { State } from '~/shared/ui/states.tsx';
import { organisationsQuery } from './queries.ts';

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
      <State
        icon="link"
        title="You have not joined an organisation yet"
        text="Open the joining link an organisation has given you. Its playlists then appear here."
      >
        <Button onClick={() => void again()}>Refresh</Button>
      </State>
    </main>
  );
}
