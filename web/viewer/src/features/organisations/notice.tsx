/** The consent notice in the language that is shown. */
import { textsOf } from '~/shared/language.ts';
import classes from './notice.module.css';

const NOTICE = textsOf('notice');

/** A version of the notice as the server has it, in English. */
interface Notice {
  version: string;
  text: string;
}

/** The parts of a text that is shown, and the English ones if it is a translation. */
interface ShownNotice {
  paragraphs: readonly string[];
  original: readonly string[] | null;
}

/** Returns the notice in the language that is shown, or in English if this version of it has no translation. */
export function noticeIn({ version, text }: Notice): ShownNotice {
  const translation = NOTICE.translations[version];
  return translation === undefined
    ? { paragraphs: paragraphsOf(text), original: null }
    : { paragraphs: paragraphsOf(translation), original: paragraphsOf(text) };
}

const paragraphsOf = (text: string): string[] => text.trim().split(/\n{2,}/);

/** Paragraphs of a notice. If they are a translation, the binding text can be opened below them. */
export function NoticeText({ paragraphs, original }: ShownNotice) {
  return (
    <>
      {/* Without a translation the text is English, whatever the language of the app. */}
      <Paragraphs paragraphs={paragraphs} lang={original === null ? 'en' : undefined} />
      {original === null ? null : (
        <>
          <p className={classes.remark}>{NOTICE.isTranslation}</p>
          <details className={classes.original}>
            <summary>{NOTICE.original}</summary>
            <Paragraphs paragraphs={original} lang="en" />
          </details>
        </>
      )}
    </>
  );
}

function Paragraphs({ paragraphs, lang }: { paragraphs: readonly string[]; lang: 'en' | undefined }) {
  return paragraphs.map((paragraph) => (
    <p key={paragraph} lang={lang}>
      {paragraph}
    </p>
  ));
}
