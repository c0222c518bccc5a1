/** How many people watched each part of an item, drawn over its poster. */
import { Skeleton, Text } from '@mantine/core';
import type { ContentAnalyticsOut } from '@vitrine/api';
import { contentKinds } from '~/features/content/model.ts';
import { clock, percent } from '~/shared/lib/format.ts';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { type RetentionStep, retentionSteps } from '../model.ts';
import { analyticsTexts } from '../texts.ts';
import { DataTable } from './data-table.tsx';
import classes from './retention.module.css';
import { useReading } from './use-reading.ts';

type Report = Pick<ContentAnalyticsOut, 'kind' | 'retention' | 'previewUrl' | 'durationMs' | 'pages'>;

export function Retention({ report }: { report: Report | undefined }) {
  if (report === undefined) return <Skeleton className={classes.frame ?? ''} height="auto" />;
  const { retention } = report;
  if (report.kind === 'image' || report.kind === 'file')
    return <NoCurve report={report} text={analyticsTexts.retentionWhole} />;
  if (retention.length === 0) return <NoCurve report={report} text={analyticsTexts.retentionUnknown} />;
  const steps = retentionSteps(report, clock);
  const most = Math.max(...steps.map(({ people }) => people));
  if (most <= 0) return <NoCurve report={report} text={analyticsTexts.retentionNone} />;
  return <Curve report={report} steps={steps} most={most} />;
}

/** As high as a curve, so that nothing moves when the numbers load. */
function NoCurve({ report, text }: { report: Report; text: string }) {
  return (
    <div className={classes.frame} data-still>
      <Thumbnail
        src={report.previewUrl}
        kind={report.kind}
        icon={contentKinds[report.kind].icon}
        className={classes.poster ?? ''}
      />
      <Text className={classes.words ?? ''}>{text}</Text>
    </div>
  );
}

/** Units of the drawing, which is stretched over the poster. */
const WIDTH = 1000;
const HEIGHT = 400;
const HEADROOM = 40;

interface CurveProps {
  report: Report;
  steps: readonly RetentionStep[];
  /** The most people of a step. */
  most: number;
}

function Curve({ report: { kind, previewUrl }, steps, most }: CurveProps) {
  const { at, current, props } = useReading(steps.length, (position) => Math.floor(position * steps.length));
  const x = (step: number) => ((step + 0.5) / steps.length) * WIDTH;
  const y = (people: number) => HEIGHT - (people / most) * (HEIGHT - HEADROOM);
  const words = (step: number) => {
    const { place, people, plays } = steps[step] ?? { place: '', people: 0, plays: 0 };
    return analyticsTexts.retentionReading(
      place,
      analyticsTexts.people(people),
      percent(people / most),
      analyticsTexts.plays(plays),
    );
  };
  const line = steps.map(({ people }, step) => `${x(step)} ${y(people)}`).join('L');
  const ends = `M0 ${y(steps[0]?.people ?? 0)}L${line}L${WIDTH} ${y(steps.at(-1)?.people ?? 0)}`;
  return (
    <>
      <div
        className={classes.frame}
        {...props}
        role="slider"
        tabIndex={0}
        aria-label={analyticsTexts.readChart(analyticsTexts.retention)}
        aria-valuemin={0}
        aria-valuemax={steps.length - 1}
        aria-valuenow={current}
        aria-valuetext={words(current)}
      >
        <Thumbnail src={previewUrl} kind={kind} icon={contentKinds[kind].icon} className={classes.poster ?? ''} />
        <svg className={classes.curve} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={`${ends}V${HEIGHT}H0z`} className={classes.area} />
          <path d={ends} className={classes.line} vectorEffect="non-scaling-stroke" />
          {at !== null && (
            <line x1={x(at)} x2={x(at)} y1={0} y2={HEIGHT} className={classes.mark} vectorEffect="non-scaling-stroke" />
          )}
        </svg>
      </div>
      <Text fz="sm" mt="sm" className="tabular" aria-hidden="true">
        {at !== null ? words(at) : kind === 'pdf' ? analyticsTexts.retentionHintPages : analyticsTexts.retentionHint}
      </Text>
      <DataTable
        caption={analyticsTexts.retention}
        head={[analyticsTexts.part, analyticsTexts.peopleColumn, analyticsTexts.playsColumn]}
        rows={steps.map(({ place, people, plays }) => [place, String(people), String(plays)])}
      />
    </>
  );
}
