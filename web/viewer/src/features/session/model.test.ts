import { businessAreas, jobTitles } from '@vitrine/api/options';
import { describe, expect, it } from 'vitest';
import { preferred } from '~/features/organisations/model.ts';
import { checkDetails, patchOf } from '~/features/profile/model.ts';
import { joined } from '~/shared/testing/server.ts';
import { digitsOf, looksLikeEmail, nextStep, resendIn } from './model.ts';

describe('signing in', () => {
  it('asks for details first, then for consent, then opens the remembered page', () => {
    expect(nextStep({ firstName: '' }, 'code')).toEqual({ to: 'details' });
    expect(nextStep({ firstName: 'Ann' }, 'code')).toEqual({ to: 'consent', code: 'code' });
    expect(nextStep({ firstName: 'Ann' }, undefined)).toEqual({ to: 'remembered' });
  });

  it('allows resending a link after a minute', () => {
    expect(resendIn(1000, 1000)).toBe(60);
    expect(resendIn(1000, 1001)).toBe(60);
    expect(resendIn(1000, 60_999)).toBe(1);
    expect(resendIn(1000, 61_000)).toBe(0);
  });

  it('reads the digits of a code as typed or pasted', () => {
    expect(digitsOf(' 123 456 ')).toBe('123456');
    expect(digitsOf('12a')).toBe('12');
    expect(digitsOf('1234567')).toBe('123456');
  });

  it('recognizes email addresses', () => {
    expect(looksLikeEmail(' ann@example.com ')).toBe(true);
    for (const text of ['', 'ann', 'ann@', '@example.com', 'a b@example.com', 'ann@example']) {
      expect(looksLikeEmail(text)).toBe(false);
    }
  });
});

describe('details', () => {
  const details = { firstName: 'Ann', lastName: ' ', phoneNumber: '', company: '', jobTitle: '', businessArea: '' };

  it('names what is missing, to the letter', () => {
    expect(checkDetails(details)).toEqual({
      lastName: 'Last name is required ',
    });
  });

  it('sends trimmed values and the name other people see', () => {
    const patch = patchOf({ ...details, lastName: ' Lee ' }, details);
    expect(patch).toMatchObject({ lastName: 'Lee', displayName: 'Ann Lee' });
  });

  it('leaves out a phone number that there never was, and asks for one that was cleared', () => {
    expect(patchOf(details, { phoneNumber: '' })).not.toHaveProperty('phoneNumber');
    expect(patchOf(details, { phoneNumber: '+44 1' })).toMatchObject({ phoneNumber: '' });
  });

  it('offers 58 job titles and 53 business areas, each once', () => {
    expect(new Set(jobTitles).size).toBe(58);
    expect(new Set(businessAreas).size).toBe(53);
  });
});

describe('organisations', () => {
  it('opens the remembered one while it is still joined', () => {
    const all = [joined({ uid: 'a' }), joined({ uid: 'b' })];
    expect(preferred(all, 'b')?.uid).toBe('b');
    expect(preferred(all, 'left')?.uid).toBe('a');
    expect(preferred([], 'b')).toBeUndefined();
  });
});
