/** A password that can be looked at. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState } from 'react';
import { sessionTexts } from '../texts.ts';

interface PasswordFieldProps extends Omit<PasswordInputProps, 'label' | 'visible' | 'onVisibilityChange'> {
  label: string;
}

/** The button that shows it says what it does, and the keyboard reaches it. */
export function PasswordField({ label, ...rest }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false);
  return (
    <PasswordInput
      {...rest}
      label={label}
      // The library tells it of other inputs, not of this one.
      aria-invalid={Boolean(rest.error) || undefined}
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{
        'aria-label': visible ? sessionTexts.hideField(label) : sessionTexts.showField(label),
        'aria-pressed': undefined,
      }}
    />
  );
}
