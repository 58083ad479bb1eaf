import { describe, expect, test } from 'vitest';
import { cleanName, isBlank } from './invisible.ts';

test.each([
  '',
  ' \t\n\u00a0\u2028',
  '\u200b\u200d\ufeff',
  '\u3164',
  '\u2800',
  '\u00ad\u2062\u{e0041}',
  '\ufe0f',
  '\u0000\u0007',
])('%j is blank', (text) => expect(isBlank(text)).toBe(true));

test.each(['.', ' a ', '\u200b0', '❤️', '\u0301'])('%j is not', (text) =>
  expect(isBlank(text)).toBe(false),
);

describe('a name', () => {
  test.each([
    ['what turns the direction', 'invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['isolates', '\u2066Tea\u2069', 'Tea'],
    ['marks of direction', '\u200eTea\u200f \u061cHouse', 'Tea House'],
    ['spaces without width', 'Te\u200ba\ufeff', 'Tea'],
    ['joiners between Latin letters', 'T\u200de\u200ca', 'Tea'],
    ['joiners between Cyrillic letters', 'Ч\u200dа\u200cй', 'Чай'],
    ['soft hyphens and word joiners', 'Te\u00ada\u2060', 'Tea'],
    ['combining joiners', 'Te\u034fa', 'Tea'],
    ['fillers', '\u3164Tea\uffa0\u115f', 'Tea'],
    ['an empty cell of Braille', 'Tea\u2800House\u2800', 'Tea House'],
    ['spaces behind it', '\u200b Tea \u200b', 'Tea'],
    ['tags', `Tea${String.fromCodePoint(0xe0041, 0xe0042)}`, 'Tea'],
    ['selectors behind letters', 'Tea\ufe0f\ufe01\u{e0100}', 'Tea'],
    ['selectors behind digits', '7\ufe0f', '7'],
    ['a selector that changes nothing', '🍵\ufe0f', '🍵'],
    ['two joiners', 'می\u200c\u200cخواهم', 'میخواهم'],
    ['a joiner behind a letter that joins nothing', 'دا\u200cن', 'دان'],
    ['a joiner at an end', '\u200cمی\u200c', 'می'],
    ['joiners in Devanagari without a virama', 'क\u200dष', 'कष'],
    ['joiners beside emoji', 'Tea\u200d🍵\u200d', 'Tea🍵'],
    ['several selectors', '葛\u{e0100}\u{e0101}', '葛\u{e0100}'],
    ['another flag of tags', '\u{1f3f4}\u{e0075}\u{e0073}\u{e007f}', '\u{1f3f4}'],
    ['annotations', '\ufff9Tea\ufffb', 'Tea'],
    ['nothing else', '\u202e\u200b', ''],
  ])('is without %s', (_, name, clean) => expect(cleanName(name)).toBe(clean));

  test.each([
    ['Latin', 'Tea & Co. — Élan, nº 5'],
    ['Cyrillic', 'Чайный дом «Ёлка»'],
    ['Arabic', 'شركة الشاي'],
    ['Persian', 'می\u200cخواهم، خانه\u200cای'],
    ['Persian with marks', 'مِی\u200cخواهم بِ\u200cها'],
    ['Hebrew', 'בֵּית תֵּה'],
    ['Hindi', 'क्\u200dष क्\u200cष'],
    ['Bengali', 'র\u200d্যাব'],
    ['Kannada', 'ರ\u200d್ಕ'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['Malayalam', 'ന്\u200d'],
    ['Japanese', '葛\u{e0100}城'],
    ['Mongolian', 'ᠠ\u180bᠨ\u180eᠠ'],
    ['a family', '👩‍👩‍👧 Tea'],
    ['professions', '👩🏽‍🍳👨‍⚕️🧑‍🦰'],
    ['flags', '🏳️‍🌈🏴‍☠️🇬🇧🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['hearts', '❤️‍🔥 ☎︎ ©️'],
    ['keys', '1️⃣ #️⃣'],
  ])('stays as it is in %s', (_, name) => expect(cleanName(name)).toBe(name));
});
