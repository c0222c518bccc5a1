/** A password field with a visibility toggle. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState } from 'react';
import { sessionTexts } from '../texts.ts';

interface PasswordFieldProps extends Omit<PasswordInputProps, 'label' | 'visible' | 'onVisibilityChange'> {
  label: string;
}

/** The toggle has a label and can be reached by keyboard. */
export function PasswordField({ label, ...rest }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false);
  return (
    <PasswordInput
      {...rest}
      label={label}
      // Mantine sets aria-invalid on other inputs, but not on this one.
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
