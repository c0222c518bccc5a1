/** Publish and expiry dates of a content item or a playlist, in the organisation's time zone. */
import { Badge, CloseButton, SimpleGrid, TextInput } from '@mantine/core';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { dayAndTime } from '~/shared/lib/format.ts';
import { fieldOf, isoOf } from '~/shared/lib/zoned.ts';
import { closedBecause, type ScheduleForm } from '../schedule.ts';
import { contentTexts } from '../texts.ts';

const texts = contentTexts.schedule;

interface ScheduleFieldsProps {
  values: ScheduleForm;
  errors: { publishAt?: React.ReactNode; expireAt?: React.ReactNode };
  onChange: (field: keyof ScheduleForm, iso: string) => void;
}

export function ScheduleFields({ values, errors, onChange }: ScheduleFieldsProps) {
  const { timeZone } = useCurrentOrg();
  const field = (name: keyof ScheduleForm, label: string, hint: string) => (
    <TextInput
      type="datetime-local"
      label={label}
      description={texts.zoneHint(hint, timeZone)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={fieldOf(values[name], timeZone)}
      error={errors[name]}
      onChange={(event) => onChange(name, isoOf(event.currentTarget.value, timeZone))}
      rightSection={
        values[name] !== '' && <CloseButton aria-label={texts.clear(label)} onClick={() => onChange(name, '')} />
      }
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {field('publishAt', texts.publishAt, texts.publishHint)}
      {field('expireAt', texts.expireAt, texts.expireHint)}
    </SimpleGrid>
  );
}

interface ScheduleBadgeProps {
  dated: { publishAt?: string | null; expireAt?: string | null };
  now: number;
}

/** Tells why app users cannot see an item or a playlist now; nothing if they can. */
export function ScheduleBadge({ dated, now }: ScheduleBadgeProps) {
  const { timeZone } = useCurrentOrg();
  const closed = closedBecause(dated, now);
  if (closed === null) return null;
  const date = (closed === 'scheduled' ? dated.publishAt : dated.expireAt) ?? '';
  return (
    <Badge size="sm" color={closed === 'scheduled' ? 'blue' : 'red'} title={dayAndTime(date, timeZone)}>
      {texts[closed]}
    </Badge>
  );
}
