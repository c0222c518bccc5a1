/** The phone number, kept as it is typed, with the country it tells. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';

/** The country appears once the number begins with + and can be read; the number itself is never changed. */
export function PhoneField(props: TextInputProps) {
  const country = usePhoneCountry(typeof props.value === 'string' ? props.value : '');
  return (
    <TextInput
      label={commonTexts.phoneNumber}
      type="tel"
      autoComplete="tel"
      placeholder="+44 20 7946 0123"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={props.error || country === '' ? undefined : country}
      {...props}
    />
  );
}

type Reader = (phoneNumber: string) => string;

/** The number metadata is large: it comes with the first number worth reading, and its absence hides the hint only. */
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
