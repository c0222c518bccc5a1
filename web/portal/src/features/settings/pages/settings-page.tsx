/** /settings: appearance, security, memberships, emails, own data and help. */
import { Page } from '~/shared/ui/page.tsx';
import { Appearance } from '../parts/appearance.tsx';
import { Emails } from '../parts/emails.tsx';
import { Help } from '../parts/help.tsx';
import { KeptConsents } from '../parts/kept-consents.tsx';
import { Methods } from '../parts/methods.tsx';
import { Organisations } from '../parts/organisations.tsx';
import { OwnData } from '../parts/own-data.tsx';
import { Section } from '../parts/section.tsx';
import { Sessions } from '../parts/sessions.tsx';
import { settingsTexts } from '../texts.ts';
import classes from './settings-page.module.css';

export function SettingsPage() {
  return (
    <Page title={settingsTexts.settings}>
      <div className={classes.column}>
        <Section title={settingsTexts.appearanceTitle} hint={settingsTexts.appearanceHint}>
          <Appearance />
        </Section>
        <Section title={settingsTexts.securityTitle} hint={settingsTexts.securityHint}>
          <Methods />
          <Sessions />
        </Section>
        <Section title={settingsTexts.membershipTitle} hint={settingsTexts.membershipHint}>
          <Organisations />
          <KeptConsents />
        </Section>
        <Emails />
        <Section title={settingsTexts.dataTitle} hint={settingsTexts.dataHint}>
          <OwnData />
        </Section>
        <Section title={settingsTexts.helpTitle} hint={settingsTexts.helpHint}>
          <Help />
        </Section>
      </div>
    </Page>
  );
}
