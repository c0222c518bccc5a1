/** A person's details: the name is asked before joining, the others can be added there or later. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ApiProblem, type ProfileOut } from '@vitrine/api';
import { type FormEvent, useState } from 'react';
import { BrandedSheet } from '~/features/organisations/branded-sheet.tsx';
import type { ShownOrganisation } from '~/features/organisations/last-brand.ts';
import { preferred } from '~/features/organisations/model.ts';
import { joinQuery, organisationsQuery } from '~/features/organisations/queries.ts';
import { takePath } from '~/shared/lib/next-path.ts';
import { storage } from '~/shared/lib/storage.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button } from '~/shared/ui/button.tsx';
import { SelectField, TextField } from '~/shared/ui/field.tsx';
import { FailedState, Loading, Skeleton } from '~/shared/ui/states.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import classes from './details-page.module.css';
import { checkDetails, type Details, detailsOf, patchOf } from './model.ts';
import { optionsOf } from './options.ts';
import { profileQuery, useSaveProfile } from './queries.ts';
import { DETAILS } from './texts.ts';

const route = getRouteApi('/details');

/** What the form asks for: the name of a new person, then the other details, or everything to edit. */
type Part = 'name' | 'more' | 'all';

/** /app/details */
export function DetailsPage() {
  const { joinCode } = route.useSearch();
  const { data, error, refetch } = useQuery(profileQuery);
  const join = useQuery({ ...joinQuery(joinCode ?? ''), enabled: joinCode !== undefined });
  const joined = useQuery({ ...organisationsQuery, enabled: joinCode === undefined });
  useTitle(DETAILS.editTitle);
  if (data === undefined && error !== null) {
    return (
      <main>
        <FailedState error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  const own = joined.data === undefined ? undefined : preferred(joined.data, storage.get('organisation'));
  const organisation = joinCode === undefined ? own : join.data?.organisation;
  if (data === undefined) {
    return (
      <BrandedSheet organisation={organisation} title={DETAILS.title}>
        <Loading>
          <Skeleton height="160px" />
        </Loading>
      </BrandedSheet>
    );
  }
  return <DetailsForm profile={data} organisation={organisation} />;
}

interface DetailsFormProps {
  profile: ProfileOut;
  organisation: ShownOrganisation | undefined;
}

function DetailsForm({ profile, organisation }: DetailsFormProps) {
  // Kept here: saving the name changes the profile, but the form must not change before it leaves.
  const [part, setPart] = useState<Part>(profile.firstName === '' ? 'name' : 'all');
  const [details, setDetails] = useState(() => detailsOf(profile));
  const [checked, setChecked] = useState(false);
  const save = useSaveProfile();
  const goOn = useGoOn();
  const errors = {
    ...(save.error instanceof ApiProblem ? save.error.fields : {}),
    ...(checked ? checkDetails(details) : {}),
  };
  const submit = (then: () => void) => {
    setChecked(true);
    if (Object.keys(checkDetails(details)).length > 0 || save.isPending) return;
    save.mutate(patchOf(details, profile), { onSuccess: then });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit(() => {
      if (part === 'all') showToast('success', DETAILS.saved);
      goOn();
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
    <BrandedSheet organisation={organisation} {...headings(part)}>
      <form className={classes.form} onSubmit={onSubmit} noValidate>
        {part === 'more' ? null : (
          <div className={classes.pair}>
            <TextField {...bind('firstName')} autoComplete="given-name" />
            <TextField {...bind('lastName')} autoComplete="family-name" />
          </div>
        )}
        {part === 'name' ? null : (
          <>
            <TextField {...bind('phoneNumber')} type="tel" autoComplete="tel" />
            <TextField {...bind('company')} autoComplete="organization" />
            <SelectField {...bind('jobTitle')} options={optionsOf('jobTitle')} />
            <SelectField {...bind('businessArea')} options={optionsOf('businessArea')} />
          </>
        )}
        <Button type="submit" tone="primary" wide busy={save.isPending}>
          {part === 'all' ? DETAILS.save : DETAILS.submit}
        </Button>
        {part === 'name' ? (
          <Button tone="quiet" wide onClick={() => submit(() => setPart('more'))}>
            {DETAILS.addMore}
          </Button>
        ) : null}
        {part === 'name' ? null : (
          <Button tone="quiet" wide onClick={goOn}>
            {part === 'more' ? DETAILS.skip : DETAILS.cancel}
          </Button>
        )}
      </form>
    </BrandedSheet>
  );
}

function headings(part: Part): { title: string; lead?: string } {
  if (part === 'name') return { title: DETAILS.title, lead: DETAILS.lead };
  if (part === 'more') return { title: DETAILS.moreTitle, lead: DETAILS.moreLead };
  return { title: DETAILS.editTitle, lead: DETAILS.editLead };
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
