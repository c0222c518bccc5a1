/** Who a lead is: name, score, ways to contact, and details. */
import { Avatar, Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type LeadOut, messageOf, type ProfileOut } from '@vitrine/api';
import { imageAt } from '@vitrine/brand/image-sizes';
import { type ReactNode, useState } from 'react';
import { personTotalsQuery } from '~/features/analytics/api/analytics-queries.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { nameOf } from '~/features/profile/model.ts';
import { session } from '~/shared/api/session.ts';
import { countryName } from '~/shared/lib/country.ts';
import { dateOf, exactMinutes, initials } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { ContactLinks, CopyableValue } from '~/shared/ui/contact-links.tsx';
import { ErrorState } from '~/shared/ui/state.tsx';
import { When } from '~/shared/ui/when.tsx';
import type { ProfileState } from '../model.ts';
import { leadTexts } from '../texts.ts';
import classes from './lead-modal.module.css';
import { LeadType } from './lead-type.tsx';
import { leadDetailTexts } from './texts.ts';

interface LeadPersonProps {
  /** Undefined while loading. */
  lead: LeadOut | undefined;
  profile: ProfileOut | undefined;
  /** What loads the profile, unless it is known. */
  query: { isPending: boolean; isError: boolean; error: unknown; refetch: () => unknown };
}

export function LeadPerson({ lead, profile, query }: LeadPersonProps) {
  const state = profile !== undefined ? 'known' : query.isPending ? 'loading' : query.isError ? 'failed' : 'known';
  const name = profile === undefined ? leadTexts.lead : nameOf(profile);
  return (
    <section className={classes.person} aria-label={leadDetailTexts.details}>
      <div className={classes.head}>
        <Avatar src={imageAt(profile?.photoURL ?? '', 192) || null} alt="" size={56} color="purple" flex="none">
          {profile === undefined ? null : initials(name)}
        </Avatar>
        <div>
          {state === 'loading' ? (
            <Skeleton height={16} width={140} my={4} />
          ) : (
            <div className={classes.name}>{name}</div>
          )}
          {lead === undefined ? <Skeleton height={18} width={110} my={2} /> : <LeadType lead={lead} />}
        </div>
      </div>
      {profile !== undefined && <ContactLinks email={profile.email} phoneNumber={profile.phoneNumber} />}
      <Details lead={lead} profile={profile} state={state} />
      {state === 'failed' && <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />}
    </section>
  );
}

interface Detail {
  label: string;
  value: string;
  /** With a button that copies it. */
  copied?: boolean;
}

/** What is known of the person; what is not is folded. */
function Details({ lead, profile, state }: Omit<LeadPersonProps, 'query'> & { state: ProfileState }) {
  const [all, setAll] = useState(false);
  const details: readonly Detail[] = [
    { label: leadTexts.email, value: profile?.email ?? '', copied: true },
    { label: commonTexts.phoneNumber, value: profile?.phoneNumber ?? '', copied: true },
    { label: leadTexts.country, value: countryName(profile?.country ?? '') },
    { label: commonTexts.company, value: profile?.company ?? '' },
    { label: commonTexts.businessArea, value: profile?.businessArea ?? '' },
    { label: commonTexts.jobTitle, value: profile?.jobTitle ?? '' },
  ];
  const empty = details.filter(({ value }) => value === '').length;
  const folded = profile !== undefined && !all && empty > 0;
  return (
    <div className={classes.known}>
      <dl className={classes.details}>
        {lead !== undefined && <LastYear lead={lead} />}
        {details.map(({ label, value, copied }) =>
          (folded || state === 'failed') && value === '' ? null : (
            <Row key={label} label={label}>
              {value !== '' ? (
                copied ? (
                  <CopyableValue label={label} value={value} />
                ) : (
                  value
                )
              ) : state === 'loading' ? (
                <Skeleton component="span" display="block" height={14} width={110} my={3} />
              ) : (
                commonTexts.notAvailable
              )}
            </Row>
          ),
        )}
        {lead !== undefined && (
          <Row label={leadTexts.lastSeen}>
            {typeof lead.lastSeen === 'string' ? (
              <When time={lead.lastSeen} now={session.now()} />
            ) : (
              leadTexts.neverSeen
            )}
          </Row>
        )}
        {lead?.timeCreated !== undefined && <Row label={leadDetailTexts.leadSince}>{dateOf(lead.timeCreated)}</Row>}
      </dl>
      {folded && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setAll(true)}>
          {leadDetailTexts.emptyDetails(empty)}
        </Button>
      )}
    </div>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What the person watched in the last 12 months. */
function LastYear({ lead }: { lead: LeadOut }) {
  const { timeZone } = useCurrentOrg();
  const year = useQuery(personTotalsQuery(lead.orgId, timeZone, lead.userId, 'year'));
  return (
    <div>
      <dt>{leadTexts.lastYear}</dt>
      <dd>
        {year.data !== undefined ? (
          <Text component="span" fw={600} className="tabular">
            {commonTexts.minutes(exactMinutes(year.data.total))}
          </Text>
        ) : year.isError ? (
          commonTexts.notAvailable
        ) : (
          <Skeleton component="span" display="block" height={14} width={80} my={3} />
        )}
      </dd>
    </div>
  );
}
