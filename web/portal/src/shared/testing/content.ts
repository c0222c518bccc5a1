/** Content fixtures. */
import type { ContentOut } from '@vitrine/api';
import { ORG } from './server.ts';

/** A processed file. */
export function content(uid: string, title: string, fields: Partial<ContentOut> = {}): ContentOut {
  return {
    uid,
    orgId: ORG,
    title,
    description: '',
    timeCreated: '2026-11-20T06:00:00.000Z',
    timeModified: '2026-11-20T06:00:00.000Z',
    previewUrl: '',
    privacy: 'public',
    type: 'native',
    kind: 'file',
    url: 'http://127.0.0.1:8080/media/grant/source',
    file: { name: `${uid}.bin`, size: 1536, type: 'application/octet-stream', lastModified: 7, checksum: 'x' },
    durationMs: null,
    processing: 'done',
    hlsUrl: '',
    storyboardUrl: '',
    waveformUrl: '',
    captions: [],
    downloadable: true,
    stats: { views: 3, watchTimeMs: 0 },
    ...fields,
  };
}

/** An embedded video. */
export function video(uid: string, title: string, fields: Partial<ContentOut> = {}): ContentOut {
  return content(uid, title, {
    type: 'integration',
    kind: 'embed',
    url: 'https://youtu.be/dQw4w9WgXcQ',
    file: null,
    processing: 'none',
    downloadable: false,
    ...fields,
  });
}
