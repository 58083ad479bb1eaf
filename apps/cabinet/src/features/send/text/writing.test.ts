import { describe, expect, it } from 'vitest';
import { overBy, toGsm } from './segment-meter.tsx';
import { changed, historyOf, redone, undone } from './text-history.ts';
import { filledIn, namesIn } from '../form/variables.ts';

describe('characters that force Unicode', () => {
  it('are replaced by their like, and what has none is named', () => {
    const text = `Tea «Sencha» — 100 g… ${'a'.repeat(60)}`;
    expect(toGsm(text)).toEqual({
      text: `Tea "Sencha" - 100 g... ${'a'.repeat(60)}`,
      left: [],
      segments: 1,
    });
    expect(toGsm(`${'a'.repeat(80)} 🍵`)).toMatchObject({ left: ['🍵'], segments: 2 });
  });

  it('leaves a Cyrillic text as it is', () => {
    expect(toGsm('Чай «Сенча»').text).toBe('Чай «Сенча»');
  });

  it('says how many characters fewer make one part fewer, when it is near', () => {
    expect(overBy('a'.repeat(160))).toBeNull();
    expect(overBy('a'.repeat(162))).toBe(2);
    expect(overBy('a'.repeat(308))).toBe(2);
    expect(overBy('я'.repeat(72))).toBe(2);
    expect(overBy('я'.repeat(100))).toBeNull();
  });
});

describe('history', () => {
  it('takes back what was typed at once as one step', () => {
    let h = historyOf('');
    h = changed(h, 'H', 0, true);
    h = changed(h, 'He', 100, true);
    h = changed(h, 'He there', 5000, true);
    expect(undone(h).present).toBe('He');
    expect(undone(undone(h)).present).toBe('');
    expect(undone(undone(undone(h))).present).toBe('');
    expect(redone(undone(h)).present).toBe('He there');
  });

  it('keeps what was inserted as a step of its own, and forgets what was taken back', () => {
    let h = changed(historyOf('a'), 'a{firstName}', 100, false);
    h = changed(h, 'a{firstName}!', 200, true);
    expect(undone(h).present).toBe('a{firstName}');
    const other = changed(undone(h), 'b', 9000, true);
    expect(redone(other)).toBe(other);
  });
});

describe('variables', () => {
  it('reads a text as somebody gets it, and one that cannot be read as it is', () => {
    expect(filledIn('Hi {firstName|friend}', { firstName: 'Anna' })).toBe('Hi Anna');
    expect(filledIn('Hi {firstName|friend}', {})).toBe('Hi friend');
    expect(filledIn('Hi {first', {})).toBe('Hi {first');
    expect(namesIn('{firstName} {custom01}')).toEqual(['firstName', 'custom01']);
    expect(namesIn('{')).toEqual([]);
  });
});
