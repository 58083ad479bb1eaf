import { expect, test } from 'vitest';
import type { Book } from '../../core/sheets/sheet.ts';
import { readOperations } from './read-operations.ts';

/** A sheet with a header and so many rows. */
function sheet(rows: number): Book {
  return {
    delimiter: ';',
    sheets: [],
    async *rows() {
      yield { n: 1, cells: ['account', 'amount'] };
      for (let n = 2; n < rows + 2; n++) yield { n, cells: ['anna', '1'] };
    },
    ratio: () => 0,
    close: () => undefined,
  };
}

test('reads 100,000 rows and refuses the next one', async () => {
  let read = 0;
  const readAll = async () => {
    for await (const chunk of readOperations(sheet(100_001), 0, {})) read += chunk.length;
  };
  await expect(readAll()).rejects.toMatchObject({ code: 'too_large' });
  expect(read).toBe(100_000);
});
