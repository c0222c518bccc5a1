/** The organisation's settings while another person edits them too. */
import { fireEvent, screen } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { list, ORG, organisation, problem, server } from '~/shared/testing/server.ts';
import { OrganisationForm } from './parts/organisation-form.tsx';

const LATER = '2026-11-02T00:00:00.000Z';

/** Settings that refuse outdated changes; records every change. */
function holding() {
  const state = { organisation, sent: [] as Record<string, unknown>[] };
  server.use(
    http.get('*/v1/organizations', () => list([state.organisation])),
    http.patch(`*/v1/organizations/${ORG}`, async ({ request }) => {
      const { organisation: change } = (await request.json()) as { organisation: Record<string, unknown> };
      state.sent.push(change);
      const older = change.timeModified !== undefined && change.timeModified !== state.organisation.timeModified;
      return older ? problem(409, 'Changed') : Response.json({ ...state.organisation, ...change });
    }),
  );
  return state;
}

const strapline = (value: string) => fireEvent.change(screen.getByLabelText('Strapline'), { target: { value } });

test('only changed fields are sent', async () => {
  const { sent } = holding();
  const { user } = renderPart(<OrganisationForm organisation={organisation} />);
  strapline('Clear films');
  fireEvent.change(screen.getByLabelText('Text color'), { target: { value: '#000000' } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(sent).toEqual([
    { description: 'Clear films', theme: { brandTextColor: '#000000' }, timeModified: organisation.timeModified },
  ]);
});

test("another person's pins are not a conflict", async () => {
  const state = holding();
  const { user } = renderPart(<OrganisationForm organisation={organisation} />);
  state.organisation = { ...organisation, pinnedPlaylists: ['p'], timeModified: LATER };
  strapline('Clear films');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(state.sent.at(-1)).toEqual({ description: 'Clear films', timeModified: LATER });
});

test("another person's settings are overwritten only after a warning", async () => {
  const state = holding();
  const { user } = renderPart(<OrganisationForm organisation={organisation} />);
  state.organisation = { ...organisation, description: 'Theirs', timeModified: LATER };
  strapline('Ours');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Someone else changed these settings.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Save anyway' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(state.sent.at(-1)).toEqual({ description: 'Ours' });
  expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled();
});
