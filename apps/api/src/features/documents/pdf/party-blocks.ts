import type { DocumentFacts, PartyFacts } from '@heliograph/domain';
import type { Content } from 'pdfmake';
import { textOf } from './text.ts';

const label = (text: string): Content => ({ text, fontSize: 8, color: '#444444' });

/** The box from which a payment order is filled. */
export function bankBox({ seller }: DocumentFacts): Content {
  return {
    table: {
      widths: ['*', 'auto', 34, 140],
      body: [
        [
          { stack: [textOf(seller.bankName), label('Банк получателя')], colSpan: 2, rowSpan: 2 },
          {},
          textOf('БИК'),
          textOf(seller.bik),
        ],
        [{}, {}, textOf('Сч. №'), textOf(seller.correspondentAccount)],
        [
          textOf(`ИНН ${seller.inn}`),
          textOf(seller.kpp ? `КПП ${seller.kpp}` : ''),
          { ...textOf('Сч. №'), rowSpan: 2 },
          { ...textOf(seller.account), rowSpan: 2 },
        ],
        [{ stack: [textOf(seller.name), label('Получатель')], colSpan: 2 }, {}, {}, {}],
      ],
    },
  };
}

function requisiteLines(title: string, party: PartyFacts): Content {
  const line = (name: string, value: string) => (value ? [textOf(`${name}: ${value}`)] : []);
  return {
    stack: [
      { text: title, bold: true, margin: [0, 0, 0, 4] },
      textOf(party.name, { bold: true }),
      ...line('ИНН', party.inn),
      ...line('КПП', party.kpp),
      ...line('ОГРН', party.ogrn),
      ...line('Адрес', party.address),
      ...line('Банк', party.bankName),
      ...line('БИК', party.bik),
      ...line('Р/с', party.account),
      ...line('К/с', party.correspondentAccount),
      ...line('Телефон', party.phone),
      ...line('E-mail', party.email),
    ],
  };
}

/** The requisites of both sides beside each other, as at the end of a contract. */
export function requisiteColumns({ seller, buyer }: DocumentFacts): Content {
  return {
    columns: [
      { ...requisiteLines('Исполнитель', seller), width: '*' },
      { ...requisiteLines('Заказчик', buyer), width: '*' },
    ],
    columnGap: 24,
    margin: [0, 6, 0, 6],
  };
}
