/** The option lists of the details, with labels in the language that is shown. */
import { businessAreas, jobTitles } from '@vitrine/api/options';
import { textsOf } from '~/shared/language.ts';

const OPTIONS = textsOf('options');
const lists = { jobTitle: jobTitles, businessArea: businessAreas };

/** What fits no other choice, at the end in every language. */
const LAST = ['Other', 'Not Applicable'];

/** Returns the choices of a list. Labels in another language than the list's are sorted in that language. */
export function optionsOf(field: keyof typeof lists): { value: string; label: string }[] {
  const labels = OPTIONS[field];
  if (labels === undefined) return lists[field].map((value) => ({ value, label: value }));
  const choices = lists[field].map((value) => ({ value, label: labels[value] ?? value }));
  const { compare } = new Intl.Collator(document.documentElement.lang);
  return choices.toSorted((a, b) => LAST.indexOf(a.value) - LAST.indexOf(b.value) || compare(a.label, b.label));
}
