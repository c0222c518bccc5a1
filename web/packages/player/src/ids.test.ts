import { describe, expect, it } from 'vitest';
import { formatBytes } from './format-bytes.ts';
import { uuidv7 } from './ids.ts';

describe('uuidv7', () => {
  it('begins with the time and names its version and variant', () => {
    const id = uuidv7(0x0191_2345_6789);
    expect(id).toMatch(/^01912345-6789-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('sorts by time and differs within one millisecond', () => {
    expect(uuidv7(1) < uuidv7(2)).toBe(true);
    expect(uuidv7(1)).not.toBe(uuidv7(1));
  });
});

describe('formatBytes', () => {
  it('uses base 1024 and at most two decimals', () => {
    expect(formatBytes(0)).toBe('0 Bytes');
    expect(formatBytes(512)).toBe('512 Bytes');
    expect(formatBytes(1536)).toBe('1.5 KB');
    expect(formatBytes(5_242_880)).toBe('5 MB');
    expect(formatBytes(1_234_567_890)).toBe('1.15 GB');
  });
});
