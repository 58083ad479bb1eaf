import { expect, it } from 'vitest';
import { createIndex, find, sectionsOf } from './search.ts';

const RU =
  '# Руководство\n\nНачало.\n\n## Ёлочный пример\n\nОтправьте сообщение клиенту.\n\n## Ошибки\n\n| Код |\n| --- |\n| `rate_limited` |\n';
const ES = '# Guía\n\n## Dirección\n\nEl número de teléfono.\n';
const index = createIndex([...sectionsOf('api', 'ru', RU), ...sectionsOf('api', 'es', ES)]);
const headings = (text: string) => find(index, text).map(({ heading }) => heading);

it('a page is divided by its headings', () => {
  expect(sectionsOf('api', 'ru', RU).map(({ anchor, heading }) => [anchor, heading])).toEqual([
    ['', ''],
    ['ёлочный-пример', 'Ёлочный пример'],
    ['ошибки', 'Ошибки'],
  ]);
});

it('finds words without case and accents, by their beginning, and with another ending', () => {
  expect(headings('елочный')).toEqual(['Ёлочный пример']);
  expect(headings('СООБЩ')).toEqual(['Ёлочный пример']);
  expect(headings('сообщения')).toEqual(['Ёлочный пример']);
  expect(headings('telefono direccion')).toEqual(['Dirección']);
  expect(headings('rate_limited')).toEqual(['Ошибки']);
  expect(headings('нигде')).toEqual([]);
  expect(headings('ЁЛОЧНЫЙ'.normalize('NFD'))).toEqual(['Ёлочный пример']);
});

it('shows the text around the match, with the match marked', () => {
  const [first] = find(index, 'сообщ');
  expect(first!.fragment.find(({ isMatch }) => isMatch)?.text).toBe('сообщение');
  expect(first!.fragment.map(({ text }) => text).join('')).toContain(
    'Отправьте сообщение клиенту.',
  );
});
