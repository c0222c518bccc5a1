/** First onboarding step: who you are. */
import { Anchor, Button, Checkbox, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { ProfileOut } from '@vitrine/api';
import { takeRedirect } from '~/features/session/model.ts';
import { useSaveProfile } from '../api/profile-queries.ts';
import { displayNameOf, type UserDetails, userDetailsRules } from '../model.ts';

interface UserDetailsFormProps {
  profile: ProfileOut;
  termsUrl: string;
}

/** Continue leads on; the company link saves the same fields and opens the second step (C-21). */
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
  const submitTo = (target: () => string) =>
    form.onSubmit(({ terms, ...fields }) => {
      save.mutate(
        { ...fields, displayName: displayNameOf(fields), termsAccepted: terms },
        { onSuccess: () => void navigate({ href: target() }) },
      );
    });
  return (
    <form onSubmit={submitTo(takeRedirect)} noValidate>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="First name" autoComplete="given-name" {...form.getInputProps('firstName')} />
          <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps('lastName')} />
        </SimpleGrid>
        <TextInput
          label="Phone number"
          type="tel"
          autoComplete="tel"
          placeholder="+44 20 7946 0123"
          {...form.getInputProps('phoneNumber')}
        />
        <Checkbox
          label={
            <>
              I accept the{' '}
              <Anchor href={termsUrl} target="_blank" rel="noopener" underline="always">
                Terms and Conditions
              </Anchor>
            </>
          }
          {...form.getInputProps('terms', { type: 'checkbox' })}
          error={form.errors.terms === undefined ? undefined : <span role="alert">{form.errors.terms}</span>}
        />
        <Group justify="space-between">
          <Anchor
            component="button"
            type="button"
            fz="sm"
            onClick={() => submitTo(() => '/on-boarding/details/company')()}
          >
            Add company details
          </Anchor>
          <Button type="submit" loading={save.isPending}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
