import { expect, it } from 'vitest';
import { CHORD_MS, sequenceOf, strokeOf, type Press } from './chords.ts';

const press = (key: string, code: string, mods: Partial<Press> = {}): Press => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...mods,
});

it.each([
  ['a Latin letter', press('g', 'KeyG'), 'g'],
  ['a Cyrillic letter, by its key', press('п', 'KeyG'), 'g'],
  ['a Latin letter elsewhere on an AZERTY keyboard', press('a', 'KeyQ'), 'a'],
  ['a capital', press('И', 'KeyB', { shiftKey: true }), 'shift+b'],
  ['Ctrl', press('k', 'KeyK', { ctrlKey: true }), 'mod+k'],
  ['Cmd on a Cyrillic layout', press('л', 'KeyK', { metaKey: true }), 'mod+k'],
  ['the question mark', press('?', 'Slash', { shiftKey: true }), '?'],
  ['the question mark above a digit', press('?', 'Digit7', { shiftKey: true }), '?'],
  [
    'the key of the question mark on a Cyrillic layout',
    press(',', 'Slash', { shiftKey: true }),
    '?',
  ],
  ['the slash on a Cyrillic layout', press('.', 'Slash'), '/'],
  ['a bracket that is a letter there', press('х', 'BracketLeft'), '['],
  ['the full stop', press('.', 'Period'), '.'],
  ['the key of the full stop on a Cyrillic layout', press('ю', 'Period'), '.'],
  ['the full stop above a comma', press('.', 'Comma', { shiftKey: true }), '.'],
  ['the tilde on a Cyrillic layout', press('Ё', 'Backquote', { shiftKey: true }), '~'],
  ['a digit with Option on a Mac', press('¡', 'Digit1', { altKey: true }), 'alt+1'],
  ['other keys', press('Enter', 'Enter'), 'enter'],
])('reads %s', (_, given, stroke) => {
  expect(strokeOf(given)).toBe(stroke);
});

it('joins a stroke to the one that waits for it, for a while', () => {
  const pending = { stroke: 'g', at: 1000 };
  expect(sequenceOf(null, 'h', 1000)).toBe('h');
  expect(sequenceOf(pending, 'h', 1000 + CHORD_MS)).toBe('g h');
  expect(sequenceOf(pending, 'h', 1001 + CHORD_MS)).toBe('h');
});
