/** Devices and countries of the viewers. */
import { Text } from '@mantine/core';
import type { ContentAnalyticsOut } from '@vitrine/api';
import { countryName } from '~/shared/lib/country.ts';
import { analyticsTexts } from '../texts.ts';
import classes from './report.module.css';
import { Section } from './section.tsx';
import { ShareList } from './share-list.tsx';

type Report = Pick<ContentAnalyticsOut, 'uniques' | 'devices' | 'countries'>;

/** Countries shown. */
const MOST = 8;
/** Fewest people that the server names as a group. */
const FEWEST = 3;

export function Audience({ report }: { report: Report | undefined }) {
  const people = report?.uniques ?? 0;
  const empty = people === 0 ? analyticsTexts.noViews : analyticsTexts.tooFew;
  return (
    <div className={classes.pairs}>
      <Section title={analyticsTexts.devices}>
        <ShareList
          label={analyticsTexts.devices}
          empty={empty}
          color="blue"
          rows={rowsOf(people, report?.devices, ({ name }) => [name, deviceName(name)])}
        />
        <Small rows={report?.devices} />
      </Section>
      <Section title={analyticsTexts.countries}>
        <ShareList
          label={analyticsTexts.countries}
          empty={people < FEWEST ? empty : analyticsTexts.noCountries}
          color="teal"
          rows={rowsOf(people, report?.countries, ({ code, name }) => [code, placeName(code, name)])?.slice(0, MOST)}
        />
        <Small
          rows={report?.countries}
          text={analyticsTexts.unlistedCountries((report?.countries.length ?? 0) > MOST)}
        />
      </Section>
    </div>
  );
}

function Small({ rows, text = analyticsTexts.tooFew }: { rows: readonly unknown[] | undefined; text?: string }) {
  if (rows === undefined || rows.length === 0) return null;
  return (
    <Text c="dimmed" fz="xs" mt="md">
      {text}
    </Text>
  );
}

/** Someone may have used several devices, and not every country is known: shares are those of all viewers. */
function rowsOf<Row extends { people: number }>(
  viewers: number,
  rows: readonly Row[] | undefined,
  named: (row: Row) => [string, string],
) {
  if (rows === undefined) return undefined;
  return rows
    .toSorted((one, other) => other.people - one.people)
    .map((row) => {
      const [key, label] = named(row);
      return {
        key,
        label,
        amount: analyticsTexts.people(row.people),
        share: row.people / Math.max(viewers, row.people),
      };
    });
}

function deviceName(name: string): string {
  const known: Record<string, string> = analyticsTexts.deviceNames;
  return known[name] ?? name;
}

function placeName(code: string, name: string): string {
  return countryName(code) || name || analyticsTexts.unknownCountry;
}
