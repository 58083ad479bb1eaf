import { describe, expect, it } from 'vitest';
import { isUuid } from './recipients.ts';

describe('isUuid', () => {
  it.each([
    ['0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', true],
    ['0193A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B', true],
    ['0193a1b2c3d47e5f8a9b0c1d2e3f4a5b', false],
    ['+79161234567', false],
    [' 0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', false],
  ])('%j: %s', (text, expected) => {
    expect(isUuid(text)).toBe(expected);
  });
});
