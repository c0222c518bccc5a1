import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { content, video } from '~/shared/testing/content.ts';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { server } from '~/shared/testing/server.ts';
import { ContentCard } from './parts/content-card.tsx';

const silent = IntersectionObserver;
let appear = () => {};

beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        appear = () => tell([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => vi.stubGlobal('IntersectionObserver', silent));

test('an embedded video without an image shows a drawn cover', () => {
  renderPart(
    <ContentCard content={video('talk', 'Market talk')} selected={false} now={0} onSelect={() => undefined} />,
  );
  expect(screen.getByRole('article').querySelector('.vt-cover')).toHaveTextContent('MT');
});

test('a card always tells how long ago its content was added, and the date as a title', () => {
  const old = content('old', 'Old', { timeCreated: '2026-11-01T10:00:00Z' });
  renderPart(
    <ContentCard content={old} selected={false} now={Date.parse('2026-11-25T10:30:00Z')} onSelect={() => undefined} />,
  );
  expect(screen.getByText('576 hours ago')).toHaveAttribute('title', '1 Nov 2026');
});

test('audio without an image shows its waveform once its card comes into view', async () => {
  const loads: string[] = [];
  server.use(
    http.get('*/media/g/peaks', ({ request }) => {
      loads.push(request.url);
      return Response.json({ peaks: [10, 80, 40] });
    }),
  );
  const song = content('song', 'Song', { kind: 'audio', waveformUrl: 'http://127.0.0.1:8080/media/g/peaks' });
  renderPart(<ContentCard content={song} selected={false} now={0} onSelect={() => undefined} />);
  const card = screen.getByRole('article');
  expect(loads).toEqual([]);
  expect(card.querySelectorAll('rect')).toHaveLength(0);
  await waitFor(() => {
    appear();
    expect(card.querySelectorAll('rect')).toHaveLength(40);
  });
  expect(loads).toHaveLength(1);
});
