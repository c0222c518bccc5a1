/** A person's details: asked before joining, and editable later. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ApiProblem, type ProfileOut } from '@vitrine/api';
import { businessAreas, jobTitles } from '@vitrine/api/options';
import { type FormEvent, useState } from 'react';
import { takePath } from '~/shared/lib/next-path.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button } from '~/shared/ui/button.tsx';
import { SelectField, TextField } from '~/shared/ui/field.tsx';
import { Sheet } from '~/shared/ui/sheet.tsx';
import { FailedState, Loading, Skeleton } from '~/shared/ui/states.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import classes from './details-page.module.css';
import { checkDetails, type Details, detailsOf, patchOf } from './model.ts';
import { profileQuery, useSaveProfile } from './queries.ts';
import { DETAILS } from './texts.ts';

const route = getRouteApi('/details');

/** /app/details */
export function DetailsPage() {
  const { data, error, refetch } = useQuery(profileQuery);
  useTitle(DETAILS.editTitle);
  if (error !== null) {
    return (
      <main>
        <FailedState error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  if (data === undefined) {
    return (
      <Sheet title={DETAILS.title}>
        <Loading>
          <Skeleton height="320px" />
        </Loading>
      </Sheet>
    );
  }
  return <DetailsForm profile={data} />;
}

function DetailsForm({ profile }: { profile: ProfileOut }) {
  // Fixed on mount: saving updates the profile, but the labels must not change while navigating away.
  const [isNew] = useState(profile.firstName === '');
  const [details, setDetails] = useState(() => detailsOf(profile));
  const [checked, setChecked] = useState(false);
  const save = useSaveProfile();
  const goOn = useGoOn();
  const errors = {
    ...(save.error instanceof ApiProblem ? save.error.fields : {}),
    ...(checked ? checkDetails(details) : {}),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (Object.keys(checkDetails(details)).length > 0) return;
    save.mutate(patchOf(details), {
      onSuccess: () => {
        if (!isNew) showToast('success', DETAILS.saved);
        goOn();
      },
    });
  };
  const bind = (field: keyof Details) => ({
    label: DETAILS[field],
    name: field,
    value: details[field],
    error: errors[field],
    onChange: (event: { target: { value: string } }) => setDetails({ ...details, [field]: event.target.value }),
  });
  return (
    <Sheet title={isNew ? DETAILS.title : DETAILS.editTitle} {...(isNew ? { lead: DETAILS.lead } : {})}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <div className={classes.pair}>
          <TextField {...bind('firstName')} autoComplete="given-name" />
          <TextField {...bind('lastName')} autoComplete="family-name" />
        </div>
        <TextField {...bind('phoneNumber')} type="tel" autoComplete="tel" />
        <TextField {...bind('company')} autoComplete="organization" />
        <SelectField {...bind('jobTitle')} options={jobTitles} />
        <SelectField {...bind('businessArea')} options={businessAreas} />
        <Button type="submit" tone="primary" wide busy={save.isPending}>
          {isNew ? DETAILS.submit : DETAILS.save}
        </Button>
      </form>
    </Sheet>
  );
}

/** Continues to the organisation being joined, or to the remembered page. */
function useGoOn() {
  const { joinCode } = route.useSearch();
  const navigate = useNavigate();
  return () => {
    if (joinCode !== undefined) void navigate({ to: '/join/$code/consent', params: { code: joinCode }, replace: true });
    else void navigate({ to: takePath(), replace: true });
  };
}
