/** When something happened: how long ago, or the date, whose title tells how long ago. */
import { timeAgo, timeOrDate } from '~/shared/lib/format.ts';

export function When({ time, now }: { time: string; now: number }) {
  return (
    <time dateTime={time} title={timeAgo(time, now)}>
      {timeOrDate(time, now)}
    </time>
  );
}
