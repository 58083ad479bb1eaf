import { expect, test } from 'vitest';
import {
  FILE_PRESETS,
  localFileError,
  MAX_FILE_SIZE,
  PRESET_RULES,
  presetError,
} from './file-presets.ts';

test.each([
  ['image', 'image/png', 1, null],
  ['image', 'image/svg+xml', 1, 'file_type'],
  ['sheet', 'text/csv', 1, null],
  ['sheet', 'application/pdf', 1, 'file_type'],
  ['audio', 'video/mp4', 1, 'file_type'],
  ['document', 'application/pdf', 1, null],
  ['document', 'text/html', 1, 'file_type'],
  ['all', 'application/octet-stream', MAX_FILE_SIZE, null],
  ['all', 'application/octet-stream', MAX_FILE_SIZE + 1, 'file_size'],
  ['image', 'image/png', MAX_FILE_SIZE + 1, 'file_size'],
] as const)('of %s, %s of %d bytes is %s', (preset, type, size, error) => {
  expect(presetError(preset, { type, size })).toBe(error);
});

test.each([
  ['image', 'photo.JPG', 1, null],
  ['image', 'photo.jpg.exe', 1, 'file_type'],
  ['image', 'photo', 1, 'file_type'],
  ['image', '', 1, 'file_type'],
  ['all', 'anything', 1, null],
  ['all', 'anything', 0, 'empty'],
  ['sheet', 'a.csv', MAX_FILE_SIZE + 1, 'file_size'],
] as const)('a local file for %s, %s of %d bytes, is %s', (preset, name, size, error) => {
  expect(localFileError(PRESET_RULES[preset], { name, size })).toBe(error);
});

test('every preset but `all` names types and extensions, within the maximum size of a file', () => {
  for (const preset of FILE_PRESETS) {
    const { types, extensions, maxSize } = PRESET_RULES[preset];
    expect([preset, types === null, extensions.length === 0]).toEqual([
      preset,
      preset === 'all',
      preset === 'all',
    ]);
    expect(maxSize).toBeLessThanOrEqual(MAX_FILE_SIZE);
  }
});
