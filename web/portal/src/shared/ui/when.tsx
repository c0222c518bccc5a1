/** When something happened. */
import { dateOf, timeAgo, timeOrDate } from '~/shared/lib/format.ts';

/** How long ago within two days, otherwise the date, whose title tells how long ago. */
export function When({ time, now }: { time: string; now: number }) {
  return (
    <time dateTime={time} title={timeAgo(time, now)}>
      {timeOrDate(time, now)}
    </time>
  );
}

/** Always how long ago; the title has the date. */
export function Ago({ time, now }: { time: string; now: number }) {
  return (
    <time dateTime={time} title={dateOf(time)}>
      {timeAgo(time, now)}
    </time>
  );
}
