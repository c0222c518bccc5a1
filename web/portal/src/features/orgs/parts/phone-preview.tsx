/** A preview of the organisation's app: its sign-in or home screen. */
import { cut, DESCRIPTION_LENGTH, initials } from '~/shared/lib/format.ts';
import { inkOn, type OrganisationForm } from '../model.ts';
import { orgTexts } from '../texts.ts';
import classes from './phone-preview.module.css';

interface PhonePreviewProps {
  form: OrganisationForm;
  screen: 'join' | 'home';
}

/** Hidden from screen readers; the form beside it has the same information. */
export function PhonePreview({ form, screen }: PhonePreviewProps) {
  const background = form.backgroundUrl === '' ? undefined : `url("${encodeURI(form.backgroundUrl)}")`;
  const button = { background: form.secondaryColor, color: inkOn(form.secondaryColor) };
  return (
    <figure className={classes.figure}>
      <div className={classes.phone} aria-hidden>
        <div className={classes.screen} style={{ backgroundColor: form.primaryColor, color: form.brandTextColor }}>
          {screen === 'join' && background !== undefined && (
            <div className={classes.wallpaper} style={{ backgroundImage: background }} />
          )}
          {screen === 'join' ? (
            <div className={classes.join}>
              <Logo form={form} />
              <strong className={classes.name}>{form.name}</strong>
              <span className={classes.line}>{cut(form.description, DESCRIPTION_LENGTH)}</span>
              <span className={classes.button} style={button}>
                {orgTexts.previewJoin}
              </span>
            </div>
          ) : (
            <div className={classes.home}>
              <div className={classes.bar}>
                <Logo form={form} />
                <strong>{form.name}</strong>
              </div>
              <div className={classes.tile} />
              <div className={classes.tile} />
              <span className={classes.button} style={button}>
                {orgTexts.previewPlay}
              </span>
            </div>
          )}
        </div>
      </div>
      <figcaption className={classes.caption}>
        {screen === 'join' ? orgTexts.signInScreen : orgTexts.homeScreen}
      </figcaption>
    </figure>
  );
}

function Logo({ form }: { form: OrganisationForm }) {
  return form.logoUrl === '' ? (
    <span className={classes.logo} style={{ borderColor: form.brandTextColor }}>
      {initials(form.name)}
    </span>
  ) : (
    <img className={classes.logo} src={form.logoUrl} alt="" />
  );
}
