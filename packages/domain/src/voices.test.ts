import { expect, it } from 'vitest';
import { defaultVoice, VOICES, voicesOf } from './voices.ts';

it('has two voices of the first and eleven of the second synthesizer, whose first one is the default', () => {
  expect(Object.values(VOICES).map((names) => names.length)).toEqual([2, 11]);
  expect(new Set(voicesOf('main').map(({ id }) => id)).size).toBe(13);
  expect(defaultVoice('main')).toBe('speechkit:alena');
});

it('has only the voices of the first synthesizer in the alternate product', () => {
  expect(voicesOf('alternate').map(({ id }) => id)).toEqual(['polly:tatyana', 'polly:maxim']);
  expect(defaultVoice('alternate')).toBe('polly:tatyana');
});
