import { describe, expect, it } from 'vitest';
import { fitText, isWithinLimit, type TextLimit } from './fit-text.ts';

describe('fitText', () => {
  it.each<[string, TextLimit, string]>([
    ['Tea is ready.', { characters: 13 }, 'Tea is ready.'],
    ['  Tea is ready. ', { characters: 13 }, 'Tea is ready.'],
    ['Tea is ready. Come soon!', { characters: 20 }, 'Tea is ready.'],
    ['“Tea.” Come soon to us', { characters: 12 }, '“Tea.”'],
    ['Hi! Tea is ready and waits for you', { characters: 20 }, 'Hi! Tea is ready and'],
    ['Versandkostenfrei', { characters: 7 }, 'Versand'],
    ['🎉🎉🎉', { characters: 3 }, '🎉'],
    ['a'.repeat(200), { segments: 1 }, 'a'.repeat(160)],
    [`${'я'.repeat(60)}. ${'я'.repeat(60)}`, { segments: 1 }, `${'я'.repeat(60)}.`],
  ])('%s within %j', (text, limit, cut) => {
    expect(fitText(text, limit)).toBe(cut);
    expect(isWithinLimit(cut, limit)).toBe(true);
  });

  it('returns an empty text if no character fits', () => {
    expect(fitText('🎉', { characters: 1 })).toBe('');
  });
});
