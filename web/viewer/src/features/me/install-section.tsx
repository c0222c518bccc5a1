/** Installing the organisation's app, where the browser can. */
import { useInstalling } from '~/shared/lib/install-offer.ts';
import { Button } from '~/shared/ui/button.tsx';
import classes from './me-page.module.css';
import { ME } from './texts.ts';

export function InstallSection({ name }: { name: string }) {
  const installing = useInstalling();
  if (installing.how === 'not') return null;
  return (
    <section className={classes.card} aria-labelledby="install">
      <h2 id="install">{ME.install(name)}</h2>
      <p className={classes.dimmed}>{installing.how === 'dialog' ? ME.installLead : ME.installByHand}</p>
      {installing.how === 'dialog' ? (
        <div className={classes.actions}>
          <Button tone="primary" onClick={installing.open}>
            {ME.installButton}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
