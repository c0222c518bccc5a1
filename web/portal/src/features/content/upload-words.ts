/** How far an upload is, in words and hundredths. */
import { clock, fileSize } from '~/shared/lib/format.ts';
import type { UploadPhase } from '~/shared/upload/upload.ts';

export function percentOf(phase: UploadPhase): number {
  if (phase.step === 'hashing') return Math.floor(phase.share * 100);
  if (phase.step === 'checking') return 100;
  const { sent, total } = phase.transfer;
  return total === 0 ? 0 : Math.min(100, Math.floor((sent / total) * 100));
}

export function headingOf(phase: UploadPhase): string {
  if (phase.step === 'hashing') return 'Reading the file';
  if (phase.step === 'waiting') return 'No connection';
  return phase.step === 'sending' ? 'Uploading' : 'Checking the file';
}

export function detailOf(phase: UploadPhase): string {
  if (phase.step === 'hashing') return 'Computing its checksum';
  if (phase.step === 'checking') return 'Almost done';
  const { sent, total, speed, secondsLeft } = phase.transfer;
  const amount = `${fileSize(sent)} of ${fileSize(total)}`;
  if (phase.step === 'waiting') return `${amount} · goes on by itself`;
  if (secondsLeft === null) return amount;
  return `${amount} · ${fileSize(speed)}/s · ${clock(secondsLeft * 1000)} left`;
}
