import { expect, it } from 'vitest';
import { isOrganisation, splitFullName } from './full-name.ts';
import { findSuperlinear } from './testing/complexity.ts';

it.each<[text: string, familyFirst: boolean, names: [string | null, string | null, string | null]]>(
  [
    ['Иванова Анна Петровна', true, ['Анна', 'Петровна', 'Иванова']],
    ['Иванова Анна', true, ['Анна', null, 'Иванова']],
    ['Анна', true, ['Анна', null, null]],
    ['Анна', false, ['Анна', null, null]],
    [
      '  Салтыков-Щедрин   Михаил\u00a0Евграфович ',
      true,
      ['Михаил', 'Евграфович', 'Салтыков-Щедрин'],
    ],
    ['Алиев Вагиф Рашид оглы', true, ['Вагиф', 'Рашид оглы', 'Алиев']],
    // A patronymic takes precedence over the header.
    ['Анна Петровна Иванова', true, ['Анна', 'Петровна', 'Иванова']],
    ['Анна Петровна Иванова', false, ['Анна', 'Петровна', 'Иванова']],
    ['Иванова Анна Петровна', false, ['Анна', 'Петровна', 'Иванова']],
    ['Роман Аркадьевич Абрамович', true, ['Роман', 'Аркадьевич', 'Абрамович']],
    ['Абрамович Роман Аркадьевич', true, ['Роман', 'Аркадьевич', 'Абрамович']],
    ['Ivanova Anna Petrovna', false, ['Anna', 'Petrovna', 'Ivanova']],
    ['Анна Иванова', false, ['Анна', null, 'Иванова']],
    ['Anna Smith', false, ['Anna', null, 'Smith']],
    ['Ludwig van Beethoven', false, ['Ludwig', null, 'van Beethoven']],
    ['Gabriel García Márquez', false, ['Gabriel', null, 'García Márquez']],
    ['Müller Anna', true, ['Anna', null, 'Müller']],
    ['García Márquez, Gabriel', false, ['Gabriel', null, 'García Márquez']],
    ['Иванова, Анна Петровна', true, ['Анна', 'Петровна', 'Иванова']],
    ['Smith,', false, ['Smith,', null, null]],
    ['', true, [null, null, null]],
    [' , ', true, [',', null, null]],
  ],
)('%j, family name first: %s', (text, familyFirst, [firstName, middleName, lastName]) => {
  expect(splitFullName(text, familyFirst)).toEqual({ firstName, middleName, lastName });
});

it('takes linear time for adversarial texts', () => {
  expect(findSuperlinear((text) => splitFullName(text, true))).toEqual([]);
  expect(findSuperlinear(isOrganisation)).toEqual([]);
});

it.each([
  ['ООО "Ромашка"', true],
  ['ооо ромашка', true],
  ['«Ромашка»', true],
  ['АО Ромашка', true],
  ['Ромашка, ЗАО', true],
  ['Acme GmbH', true],
  ['Acme S.A.', true],
  ['Acme Ltd.', true],
  ['Acme, Inc.', true],
  ['ACME CORP', true],
  ['Acme S.p.A.', true],
  ['Acme Lda.', true],
  ['Acme B.V.', true],
  ['Acme A/S', true],
  ['Acme Sp. z o.o.', true],
  ['TSV München e.V.', true],
  ['OOO Romashka', true],
  ['Общество с ограниченной ответственностью «Ромашка»', true],
  ['ИП Иванов Иван', false],
  ['Иванов А.О.', false],
  ['Петрова Ч.П.', false],
  ['Ben Tov', false],
  ['Uwe Se', false],
  ['Иванов Иван "Ваня"', false],
  ['Nguyen Sa', false],
  ['NGUYEN SA', false],
  ['Анна Оооева', false],
  ['', false],
])('%j is the name of an organisation: %s', (text, expected) => {
  expect(isOrganisation(text)).toBe(expected);
});

it.each(['ИП', 'ФОП', 'Индивидуальный предприниматель'])(
  'a sole trader (%s) is a person',
  (form) => {
    expect(isOrganisation(`${form} Иванов Иван Петрович`)).toBe(false);
    expect(splitFullName(`${form} Иванов Иван Петрович`, true)).toEqual({
      firstName: 'Иван',
      middleName: 'Петрович',
      lastName: 'Иванов',
    });
  },
);
