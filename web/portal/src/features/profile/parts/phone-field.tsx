/** A phone number field that shows the detected country. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';

/** Shows the country once the number starts with + and can be parsed; never reformats the number. */
export function PhoneField(props: TextInputProps) {
  const country = usePhoneCountry(typeof props.value === 'string' ? props.value : '');
  return (
    <TextInput
      label={commonTexts.phoneNumber}
      type="tel"
      autoComplete="tel"
      placeholder={commonTexts.phoneExample}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={props.error || country === '' ? undefined : country}
      {...props}
    />
  );
}

type Reader = (phoneNumber: string) => string;

/** Loads the large number metadata with the first international number; without it, only the hint is missing. */
function usePhoneCountry(value: string): string {
  const [read, setRead] = useState<Reader | null>(null);
  const wanted = value.trim().startsWith('+') && read === null;
  useEffect(() => {
    if (!wanted) return;
    let here = true;
    import('~/shared/lib/calling-code.ts')
      .then(({ phoneCountry }) => here && setRead(() => phoneCountry))
      .catch(() => undefined);
    return () => {
      here = false;
    };
  }, [wanted]);
  return read === null ? '' : read(value.trim());
}
