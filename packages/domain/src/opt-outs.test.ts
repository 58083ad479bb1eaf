import { expect, test } from 'vitest';
import {
  isSpike,
  isSuppressible,
  optOutOf,
  optOutWord,
  respectsOptOut,
  START_WORDS,
  STOP_WORDS,
} from './opt-outs.ts';

const words = { stopWords: STOP_WORDS, startWords: START_WORDS };

test.each([
  ['STOP', 'stop'],
  ['stop.', 'stop'],
  ['  «Стоп!» ', 'stop'],
  ['Отписаться', 'stop'],
  ['arret', 'stop'],
  ['Arrêt', 'stop'],
  ['ＳＴＯＰ', 'stop'],
  ['STOP ALL', 'stop'],
  ['StopAll', 'stop'],
  ['end', 'stop'],
  ['QUIT', 'stop'],
  ['Cancel.', 'stop'],
  ['opt-out', 'stop'],
  ['OPTOUT', 'stop'],
  ['revoke', 'stop'],
  ['Unsubscribe!', 'stop'],
  ['Dar de baja', 'stop'],
  ['désabonner', 'stop'],
  ['Un-subscribe', 'stop'],
  ['unsub', 'stop'],
  ['Отпишите меня!', 'stop'],
  ['отписать', 'stop'],
  ['Cancelar.', 'stop'],
  ['PARE', 'stop'],
  ['DESINSCRIRE', 'stop'],
  ['Désabonnement', 'stop'],
  ['Abmeldung', 'stop'],
  ['cancellami', 'stop'],
  // Cyrillic letters that look Latin, and the reverse.
  ['SТОР', 'stop'],
  ['\u0405TOP', 'stop'],
  ['CTOП', 'stop'],
  ['ST0P', 'stop'],
  ['ΕΝD', 'stop'],
  ['S T O P', 'stop'],
  ['S.T.O.P.', 'stop'],
  ['ST\u200bOP', 'stop'],
  ['STOP 🛑', 'stop'],
  ['STOP\n\nSent from my iPhone', 'stop'],
  ['Стоп\r\n--\r\nИван Петров, менеджер', 'stop'],
  ['\n STOP \nОтправлено с iPhone', 'stop'],
  ['Stop\nAnna Ivanova', 'stop'],
  ['STOP\n> Sale! Reply STOP to end', 'stop'],
  ['Start\nSent from my Galaxy', 'start'],
  ['Стоп\nС уважением, Анна', 'stop'],
  ['Stop\nBest regards,\nAnna', 'stop'],
  ['STOP\nMit freundlichen Grüßen\nHans', 'stop'],
  ['STOP\nCordialement', 'stop'],
  ['STOP\n+7 916 123-45-67', 'stop'],
  ['STOP\nAm 01.12.2026 schrieb Tee:\n> Angebot', 'stop'],
  ['STOP\nLe mar. 1 déc. 2026 à 10:00, Thé <the@tea.example> a écrit :\n> Offre', 'stop'],
  ['STOP\nВт, 1 дек. 2026 г. Чай <tea@tea.example>:\n> Скидка', 'stop'],
  ['ꜱᴛᴏᴘ', 'stop'],
  ['stօp', 'stop'],
  ['🆂🆃🅾🅿', 'stop'],
  ['🅢🅣🅞🅟', 'stop'],
  ['🇸🇹🇴🇵', 'stop'],
  ['ՏTOP', 'stop'],
  ['ꓢꓔꓳꓑ', 'stop'],
  ['ᏚᎢOᏢ', 'stop'],
  ['Stop, stop!', 'stop'],
  ['стоп СТОП стоп', 'stop'],
  ['STOP\u2028Sent from my iPhone', 'stop'],
  ['STOP\u0085Sent from my iPhone', 'stop'],
  ['STOP\n\nПолучить Outlook для iOS', 'stop'],
  ['STOP\nGet Outlook for iOS<https://aka.ms/o0ukef>', 'stop'],
  ['STOP\nTéléchargez Outlook pour Android', 'stop'],
  ['STOP\nHolen Sie sich Outlook für iOS', 'stop'],
  ['STOP\nYahoo Mail: Search, Organize, Conquer', 'stop'],
  ['STOP\nanna.tea@tea.example', 'stop'],
  ['STOP\nhttps://tea.example/anna', 'stop'],
  ['STOP\nС ув., Анна', 'stop'],
  ['STOP\nС наилучшими пожеланиями,\nАнна', 'stop'],
  ['STOP\nBR, Tom', 'stop'],
  ['STOP\nBien cordialement,', 'stop'],
  ['STOP\nUn abrazo', 'stop'],
  ['STOP\nO’Brien', 'stop'],
  ['STOP\n- Anna', 'stop'],
  ['Stop\nthe Outlook for iOS does not open', null],
  ['Stop go', null],
  ['🛑', null],
  ['Stop\nThanks for nothing', null],
  ['Стоп\nСпасибо за чай', null],
  ['Stop\nAnna wrote that she comes', null],
  ['Stop\nby the shop tomorrow', null],
  ['Stop\n\nIs the order ready?', null],
  ['The end', null],
  ['Cancel my order', null],
  ['I quit smoking', null],
  ['start tomorrow', null],
  ['endo', null],
  ['0', null],
  ['Start', 'start'],
  ['старт', 'start'],
  ['please stop it', null],
  ['stops', null],
  ['да', null],
  ['', null],
  ['!!!', null],
  [`stop${'!'.repeat(200)}`, null],
])('%j asks for %s', (text, asked) => {
  expect(optOutOf(text, words)).toBe(asked);
});

test('the words of an account replace the default ones', () => {
  const own = { stopWords: ['Хватит ёлок'], startWords: ['ещё'] };
  expect(optOutOf('хватит  елок', own)).toBe('stop');
  expect(optOutOf('Еще', own)).toBe('start');
  expect(optOutOf('STOP', own)).toBeNull();
});

test('a word with an apostrophe is known by each letter that is one', () => {
  const own = { stopWords: ["Не п'яти", 'j\u02bcarrête'], startWords: [] };
  for (const sign of '\u02bc\u02b9\u2019`´\u2032') {
    expect([sign, optOutOf(`не п${sign}яти!`, own)]).toEqual([sign, 'stop']);
    expect([sign, optOutOf(`J${sign}ARRETE`, own)]).toEqual([sign, 'stop']);
  }
});

test('й and и are different letters', () => {
  expect(optOutWord('Домой')).not.toBe(optOutWord('Домои'));
});

test('codes and checks of a number are sent to all', () => {
  expect(
    ['flashcall', 'telegramcode', 'hlr', 'smsping'].map((t) => isSuppressible(t as 'hlr')),
  ).toEqual(Array(4).fill(false));
  expect(isSuppressible('sms')).toBe(true);
  expect(respectsOptOut('sms', { group: 'service', isBulk: false })).toBe(false);
  expect(respectsOptOut('sms', { group: 'service', isBulk: true })).toBe(true);
  expect(respectsOptOut('sms', { group: 'advertising', isBulk: false })).toBe(true);
  expect(respectsOptOut('hlr', { group: 'advertising', isBulk: true })).toBe(false);
});

test.each([
  [19, 0, false],
  [20, 0, true],
  [20, 70, false],
  [30, 70, true],
])('%i in a day after %i in a week: %s', (today, before, isUnusual) => {
  expect(isSpike(today, before)).toBe(isUnusual);
});
