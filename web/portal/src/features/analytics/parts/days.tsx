/** Views or watch time of an item by day. */
import { SegmentedControl, Skeleton } from '@mantine/core';
import type { ContentAnalyticsOut } from '@vitrine/api';
import { useState } from 'react';
import { csvName } from '~/shared/lib/csv.ts';
import { chartMinutes, count, twoDecimals } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { labelled } from '../model.ts';
import { analyticsTexts } from '../texts.ts';
import { CsvButton } from './csv-button.tsx';
import { Section } from './section.tsx';
import { TimeBars } from './time-bars.tsx';

type Report = Pick<ContentAnalyticsOut, 'days' | 'timeZoneSince' | 'title'>;

const measures = [
  { value: 'views', label: analyticsTexts.viewsTile },
  { value: 'minutes', label: analyticsTexts.watchTime },
] as const;

type Measure = (typeof measures)[number]['value'];

export function Days({ report, timeZone }: { report: Report | undefined; timeZone: string }) {
  const [measure, setMeasure] = useState<Measure>('views');
  const days = report?.days ?? [];
  const points = labelled(
    days.map(({ time, views, watchTimeMs }) => ({
      time,
      value: measure === 'views' ? views : chartMinutes(watchTimeMs),
    })),
    timeZone,
  );
  return (
    <Section
      title={analyticsTexts.days}
      zone={timeZone}
      zoneSince={report?.timeZoneSince}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label={analyticsTexts.measure}
            data={[...measures]}
            value={measure}
            onChange={(value) => setMeasure(value as Measure)}
          />
          <CsvButton
            title={analyticsTexts.days}
            fileName={csvName(report?.title ?? '', 'by day')}
            rows={report === undefined ? undefined : rowsOf(report, timeZone)}
          />
        </>
      }
    >
      {report === undefined ? (
        <Skeleton height={240} />
      ) : measure === 'views' ? (
        <TimeBars
          title={analyticsTexts.viewsTile}
          points={points}
          height={240}
          color="purple"
          figure={count}
          format={analyticsTexts.views}
        />
      ) : (
        <TimeBars
          title={analyticsTexts.minutesColumn}
          points={points}
          height={240}
          figure={twoDecimals}
          format={(value) => commonTexts.minutes(twoDecimals(value))}
        />
      )}
    </Section>
  );
}

function rowsOf({ days }: Report, timeZone: string): (string | number)[][] {
  const labels = labelled(
    days.map(({ time }) => ({ time, value: 0 })),
    timeZone,
  );
  return [
    [analyticsTexts.begins, analyticsTexts.period, analyticsTexts.viewsTile, analyticsTexts.minutesColumn],
    ...days.map(({ time, views, watchTimeMs }, index) => [
      time,
      labels[index]?.label ?? '',
      views,
      chartMinutes(watchTimeMs).toFixed(2),
    ]),
  ];
}
