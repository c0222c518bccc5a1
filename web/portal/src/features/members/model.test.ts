import type { UserOut } from '@vitrine/api';
import { expect, test } from 'vitest';
import { profile } from '~/shared/testing/server.ts';
import { exportHeader, exportRow, filterPeople } from './model.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');
const person = (fields: Partial<UserOut>): UserOut => ({
  userId: 'u',
  role: 'user',
  user: profile,
  timeJoined: null,
  consent: true,
  timeConsent: '2026-11-19T12:00:00.000Z',
  ...fields,
});

test('GDPR contains only people who gave consent, new only those of the last seven days', () => {
  const people = [person({}), person({ userId: 'old', timeConsent: '2026-11-01T12:00:00.000Z', consent: false })];
  expect(filterPeople(people, 'gdpr', now).map(({ userId }) => userId)).toEqual(['u']);
  expect(filterPeople(people, 'new', now).map(({ userId }) => userId)).toEqual(['u']);
  expect(filterPeople(people, 'all', now)).toHaveLength(2);
});

test('staff have a role and a time joined, users have neither', () => {
  const staff = exportRow(person({ role: 'teamLeader', timeJoined: '2026-11-01T10:00:00.000Z' }), '+44');
  const user = exportRow(person({}), '+44');
  expect(staff).toHaveLength(exportHeader.length);
  expect(staff.slice(0, 4)).toEqual(['Staff', '2026-11-01T10:00:00.000Z', 'Team leader', '2026-11-19T12:00:00.000Z']);
  expect(user.slice(0, 3)).toEqual(['User', '', '']);
});
