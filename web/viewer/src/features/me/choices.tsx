/** Choices about how the app looks: colors and language. */
import { chooseLanguage, type Language, languages, useLanguage } from '~/shared/language.ts';
import { chooseScheme, type SchemeChoice, useSchemeChoice } from '~/shared/lib/scheme.ts';
import classes from './me-page.module.css';
import { ME } from './texts.ts';

export function Appearance() {
  const choices = Object.entries(ME.schemes) as [SchemeChoice, string][];
  return (
    <Choices name="scheme" title={ME.appearance} choices={choices} chosen={useSchemeChoice()} onChoose={chooseScheme} />
  );
}

export function LanguageChoice() {
  const choices = Object.entries(languages) as [Language, string][];
  return (
    <Choices
      name="language"
      title={ME.language}
      choices={choices}
      chosen={useLanguage()}
      onChoose={(language) => void chooseLanguage(language)}
    />
  );
}

interface ChoicesProps<Value extends string> {
  name: string;
  title: string;
  choices: readonly (readonly [Value, string])[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

function Choices<Value extends string>({ name, title, choices, chosen, onChoose }: ChoicesProps<Value>) {
  return (
    <section className={classes.card}>
      <fieldset className={classes.choices}>
        <legend>{title}</legend>
        {choices.map(([value, label]) => (
          <label key={value}>
            <input type="radio" name={name} value={value} checked={chosen === value} onChange={() => onChoose(value)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
    </section>
  );
}
