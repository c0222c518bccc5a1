/** Identity calls of the mock server: one person with a password, signed in on three devices. */
import type { MethodsOut, OpenSessionOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';

export const methods: MethodsOut = {
  email: 'ada@example.com',
  emailVerified: true,
  password: true,
  providers: ['google'],
};

export const sessions: OpenSessionOut[] = [
  {
    uid: 'phone',
    device: 'Safari on iPhone',
    place: '203.0.113.7',
    app: 'viewer',
    current: false,
    timeCreated: '2026-11-01T10:00:00.000Z',
    timeLastSeen: '2026-11-10T10:00:00.000Z',
  },
  {
    uid: 'here',
    device: 'Chrome on Windows',
    place: '198.51.100.4',
    app: 'portal',
    current: true,
    timeCreated: '2026-11-01T10:00:00.000Z',
    timeLastSeen: '2026-11-20T10:00:00.000Z',
  },
  {
    uid: 'nameless',
    device: '',
    place: '',
    app: 'portal',
    current: false,
    timeCreated: '2026-11-01T10:00:00.000Z',
    timeLastSeen: '2026-11-19T10:00:00.000Z',
  },
];

/** The calls the settings screen makes. */
export const identityHandlers = [
  http.get('*/v1/auth/methods', () => HttpResponse.json(methods)),
  http.get('*/v1/auth/sessions', () => HttpResponse.json({ data: sessions })),
];

/** An error response with a code and, optionally, field messages and a Retry-After in seconds. */
export function refusal(
  status: number,
  code: string,
  message: string,
  { fields, wait }: { fields?: Record<string, string>; wait?: number } = {},
) {
  const headers: Record<string, string> = wait === undefined ? {} : { 'Retry-After': String(wait) };
  return HttpResponse.json({ status, code, message, ...(fields === undefined ? {} : { fields }) }, { status, headers });
}

/** An access token for the given person. */
export function tokenOf(person: string, number = 0): string {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '');
  return `${part({ alg: 'EdDSA' })}.${part({ sub: person, number })}.signature`;
}
