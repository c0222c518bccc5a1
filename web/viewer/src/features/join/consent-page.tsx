/** The consent question when joining an organisation. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate, useNavigate } from '@tanstack/react-router';
import { codeOf, type JoinPageOut, statusOf } from '@vitrine/api';
import { useState } from 'react';
import { BrandedSheet } from '~/features/organisations/branded-sheet.tsx';
import { NoticeText, noticeIn } from '~/features/organisations/notice.tsx';
import { joinQuery, organisationsQuery } from '~/features/organisations/queries.ts';
import { profileQuery } from '~/features/profile/queries.ts';
import { useSignOut } from '~/features/session/calls.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button, buttonClass } from '~/shared/ui/button.tsx';
import { Loading, Skeleton } from '~/shared/ui/states.tsx';
import classes from './consent-page.module.css';
import { LinkFailed } from './link-failed.tsx';
import { useJoin } from './queries.ts';
import { JOIN } from './texts.ts';

const route = getRouteApi('/join/$code/consent');

/** /app/join/{code}/consent: redirects to the details if they are missing, and skips an answered question. */
export function ConsentPage() {
  const { code } = route.useParams();
  const join = useQuery(joinQuery(code));
  const profile = useQuery(profileQuery);
  const joined = useQuery(organisationsQuery);
  useTitle(join.data?.organisation.name);
  const failed = [join, profile, joined].find(({ data, error }) => data === undefined && error !== null);
  if (failed !== undefined) return <LinkFailed error={failed.error} onRetry={() => void failed.refetch()} />;
  if (join.data === undefined || profile.data === undefined || joined.data === undefined) {
    return (
      <BrandedSheet organisation={join.data?.organisation} title={JOIN.consentTitle}>
        <Loading>
          <Skeleton height="320px" />
        </Loading>
      </BrandedSheet>
    );
  }
  const { uid } = join.data.organisation;
  const answered = joined.data.some(
    (organisation) => organisation.uid === uid && typeof organisation.consent === 'boolean',
  );
  const { invitedEmail } = join.data;
  const own = profile.data.email ?? '';
  const isOther = typeof invitedEmail === 'string' && invitedEmail !== own;
  if (profile.data.firstName === '' && !isOther) return <Navigate to="/details" search={{ joinCode: code }} replace />;
  if (answered && !isOther) return <Navigate to="/org/$orgId" params={{ orgId: uid }} replace />;
  return isOther ? (
    <OtherAddress code={code} join={join.data} invited={invitedEmail} own={own} member={answered} />
  ) : (
    <Question code={code} join={join.data} email={own} />
  );
}

interface OtherAddressProps {
  code: string;
  join: JoinPageOut;
  invited: string;
  own: string;
  /** Whether the person has joined the organisation. */
  member: boolean;
}

/** Shown to people who are signed in with an address that was not invited. */
function OtherAddress({ code, join: { organisation }, invited, own, member }: OtherAddressProps) {
  const signOut = useSignOut();
  const [busy, setBusy] = useState(false);
  const onClick = () => {
    setBusy(true);
    void signOut({ joinCode: code });
  };
  return (
    <BrandedSheet organisation={organisation} title={JOIN.otherTitle} lead={JOIN.otherText(invited, own)}>
      <Button tone="primary" wide busy={busy} onClick={onClick}>
        {JOIN.otherAccount}
      </Button>
      {member && (
        <Link to="/org/$orgId" params={{ orgId: organisation.uid }} className={buttonClass()}>
          {JOIN.toApp}
        </Link>
      )}
    </BrandedSheet>
  );
}

/** Shown to people whose address is not confirmed yet; an emailed link or code proves it. */
function Unproved({ code, join: { organisation }, email }: { code: string; join: JoinPageOut; email: string }) {
  const signOut = useSignOut();
  const [busy, setBusy] = useState(false);
  const onClick = () => {
    setBusy(true);
    void signOut({ joinCode: code });
  };
  return (
    <BrandedSheet organisation={organisation} title={JOIN.unprovedTitle} lead={JOIN.unprovedText(email)}>
      <Button tone="primary" wide busy={busy} onClick={onClick}>
        {JOIN.unprovedButton}
      </Button>
    </BrandedSheet>
  );
}

/** A notice that begins with a question has it as the title, so that nothing is asked twice. */
function partsOf({ paragraphs, original }: ReturnType<typeof noticeIn>) {
  const [first = '', ...others] = paragraphs;
  return first.endsWith('?')
    ? { question: first, shown: { paragraphs: others, original } }
    : { question: JOIN.consentTitle, shown: { paragraphs, original } };
}

/** Both buttons look the same, so that neither answer is favored. */
function Question({ code, join, email }: { code: string; join: JoinPageOut; email: string }) {
  const { organisation, notice } = join;
  const answer = useJoin(code);
  const navigate = useNavigate();
  const give = (consent: boolean) =>
    answer.mutate(
      { consent, noticeVersion: notice.version },
      { onSuccess: () => void navigate({ to: '/org/$orgId', params: { orgId: organisation.uid }, replace: true }) },
    );
  if (statusOf(answer.error) === 404) return <LinkFailed error={answer.error} onRetry={() => answer.reset()} />;
  if (codeOf(answer.error) === 'email_unproved') return <Unproved code={code} join={join} email={email} />;
  const busy = (consent: boolean) => answer.isPending && answer.variables.consent === consent;
  const { question, shown } = partsOf(noticeIn(notice));
  return (
    <BrandedSheet organisation={organisation} title={question}>
      <div className={classes.notice}>
        <NoticeText {...shown} />
      </div>
      <div className={classes.answers}>
        <Button wide busy={busy(true)} disabled={answer.isPending} onClick={() => give(true)}>
          {JOIN.yes}
        </Button>
        <Button wide busy={busy(false)} disabled={answer.isPending} onClick={() => give(false)}>
          {JOIN.no}
        </Button>
      </div>
    </BrandedSheet>
  );
}
