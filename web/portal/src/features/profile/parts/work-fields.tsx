/** Company, job title and business area. */
import { TextInput } from '@mantine/core';
import type { ProfileOut } from '@vitrine/api';
import { businessAreas, jobTitles } from '@vitrine/api/options';
import type { ComponentProps } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { ChoiceSelect } from './choice-select.tsx';

type Work = Pick<ProfileOut, 'jobTitle' | 'businessArea'>;

interface WorkFieldsProps {
  values: Work;
  onChange: (change: Partial<Work>) => void;
  /** Input props of the company field. */
  company: ComponentProps<typeof TextInput>;
}

export function WorkFields({ values, onChange, company }: WorkFieldsProps) {
  return (
    <>
      <TextInput label={commonTexts.company} autoComplete="organization" {...company} />
      <ChoiceSelect
        label={commonTexts.jobTitle}
        options={jobTitles}
        value={values.jobTitle}
        onChange={(jobTitle) => onChange({ jobTitle })}
      />
      <ChoiceSelect
        label={commonTexts.businessArea}
        options={businessAreas}
        value={values.businessArea}
        onChange={(businessArea) => onChange({ businessArea })}
      />
    </>
  );
}
