import { screen } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { content } from '~/shared/testing/content.ts';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { problem, server } from '~/shared/testing/server.ts';
import { ProcessingLine } from './parts/processing-line.tsx';

const video = (fields: Parameters<typeof content>[2]) => content('c', 'Film', { kind: 'video', ...fields });

test('processing shows percent and time left if known', () => {
  const line = (fields: Parameters<typeof content>[2]) => <ProcessingLine content={video(fields)} editable />;
  const { show } = renderPart(line({ processing: 'queued' }));
  expect(screen.getByText('Processing')).toBeVisible();
  expect(screen.queryByRole('progressbar')).toBeNull();
  show(line({ processing: 'running', progress: 40 }));
  expect(screen.getByText('40 %')).toBeVisible();
  show(line({ processing: 'running', progress: 40, secondsLeft: 75 }));
  expect(screen.getByText('40 % · 1:15 left')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Processing Film' })).toHaveAttribute('aria-valuenow', '40');
});

test('a ready item shows nothing', () => {
  renderPart(<ProcessingLine content={video({ processing: 'done' })} editable />);
  expect(screen.queryByText('Processing')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

const failed = video({
  processing: 'failed',
  processingError: {
    code: 'interrupted',
    message: 'The file is damaged or was cut off: it contains less than its header says.',
  },
});

test('a failure shows its reason, and Retry restarts processing', async () => {
  const asked: string[] = [];
  server.use(
    http.post('*/v1/content/:id/processing', ({ params }) => {
      asked.push(String(params.id));
      return Response.json(video({ processing: 'queued' }));
    }),
  );
  const { user } = renderPart(<ProcessingLine content={failed} editable />);
  expect(screen.getByText('The file is damaged or was cut off: it contains less than its header says.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Retry processing Film' }));
  await expect.poll(() => asked).toEqual(['c']);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a refused Retry shows why, and can be pressed again', async () => {
  server.use(http.post('*/v1/content/:id/processing', () => problem(409, 'The file is already being processed.')));
  const { user } = renderPart(<ProcessingLine content={failed} editable />);
  await user.click(screen.getByRole('button', { name: 'Retry processing Film' }));
  expect(await screen.findByText('The file is already being processed.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Retry processing Film' })).toBeEnabled();
});

test('people who may not edit see only the reason, or a general sentence', () => {
  renderPart(<ProcessingLine content={video({ processing: 'failed' })} editable={false} />);
  expect(screen.getByText('The file could not be processed.')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});
