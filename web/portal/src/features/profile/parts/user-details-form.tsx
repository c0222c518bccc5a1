/** The first onboarding step: name, phone and terms. */
import { Anchor, Button, Checkbox, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { ProfileOut } from '@vitrine/api';
import type { MouseEvent } from 'react';
import { takeRedirect } from '~/features/session/model.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import steady from '~/shared/ui/steady-form.module.css';
import { useSaveProfile } from '../api/profile-queries.ts';
import { displayNameOf, type UserDetails, userDetailsRules } from '../model.ts';
import { profileTexts } from '../texts.ts';
import { focusFirstError } from './first-error.ts';
import { PhoneField } from './phone-field.tsx';

const COMPANY_STEP = '/on-boarding/details/company';

interface UserDetailsFormProps {
  profile: ProfileOut;
  termsUrl: string;
}

/** Continue opens the remembered address; the company link saves the same fields and opens the second step. */
export function UserDetailsForm({ profile, termsUrl }: UserDetailsFormProps) {
  const navigate = useNavigate();
  const save = useSaveProfile();
  const form = useForm<UserDetails>({
    initialValues: {
      firstName: profile.firstName,
      lastName: profile.lastName,
      phoneNumber: profile.phoneNumber,
      terms: false,
    },
    validate: userDetailsRules,
    validateInputOnBlur: true,
  });
  // Read the remembered address only when navigating to it: the second step still needs it.
  const submitTo = (target: () => string) =>
    form.onSubmit(({ terms, ...fields }) => {
      if (save.isPending) return;
      save.mutate(
        { ...fields, displayName: displayNameOf(fields), termsAccepted: terms },
        { onSuccess: () => void navigate({ href: target() }) },
      );
    }, focusFirstError(form));
  const addCompany = (event: MouseEvent) => {
    event.preventDefault();
    submitTo(() => COMPANY_STEP)();
  };
  return (
    <form onSubmit={submitTo(takeRedirect)} noValidate className={steady.form}>
      <div className={steady.columns}>
        <TextInput label={profileTexts.firstName} autoComplete="given-name" {...form.getInputProps('firstName')} />
        <TextInput label={profileTexts.lastName} autoComplete="family-name" {...form.getInputProps('lastName')} />
      </div>
      <PhoneField {...form.getInputProps('phoneNumber')} />
      <Checkbox
        label={
          <>
            {profileTexts.iAccept}{' '}
            <Anchor href={termsUrl} target="_blank" rel="noopener" underline="always" fz="inherit">
              {profileTexts.terms}
            </Anchor>
          </>
        }
        aria-invalid={form.errors.terms !== undefined}
        {...form.getInputProps('terms', { type: 'checkbox' })}
        error={form.errors.terms === undefined ? undefined : <span role="alert">{form.errors.terms}</span>}
      />
      <Group justify="space-between">
        <Anchor href={COMPANY_STEP} fz="sm" underline="always" onClick={addCompany}>
          {profileTexts.addCompany}
        </Anchor>
        <Button type="submit" loading={save.isPending}>
          {commonTexts.continue}
        </Button>
      </Group>
    </form>
  );
}
