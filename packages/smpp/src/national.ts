/** Characters by their codes. */
export type Table = readonly (string | undefined)[];

/** Characters that stand elsewhere than in the alphabet of GSM, each behind its code: '47Ğ 49İ'. */
const tableOf = (changes: string): Table => {
  const table: string[] = [];
  for (const change of changes.split(' '))
    if (change) table[Number.parseInt(change, 16)] = change.slice(2);
  return table;
};

/**
 * The national tables of languages by their number: 3GPP TS 23.038, annex A. `single` changes what follows an escape, `locking` the rest.
 * Spanish has no locking table.
 */
const LANGUAGES: Readonly<Record<number, { single: Table; locking: Table }>> = {
  // Turkish.
  1: {
    single: tableOf('47Ğ 49İ 53Ş 63ç 67ğ 69ı 73ş'),
    locking: tableOf('04€ 07ı 0bĞ 0cğ 1cŞ 1dş 40İ 60ç'),
  },
  // Spanish.
  2: { single: tableOf('09ç 41Á 49Í 4fÓ 55Ú 61á 69í 6fó 75ú'), locking: [] },
  // Portuguese.
  3: {
    single: tableOf(
      '05ê 09ç 0bÔ 0cô 0eÁ 0fá 12Φ 13Γ 15Ω 16Π 17Ψ 18Σ 19Θ 1fÊ 41À 49Í 4fÓ 55Ú 5bÃ 5cÕ 61Â 69í 6fó 75ú 7bã 7cõ 7fâ',
    ),
    locking: tableOf(
      '04ê 06ú 07í 08ó 09ç 0bÔ 0cô 0eÁ 0fá 12ª 13Ç 14À 15∞ 16^ 17\\ 18€ 19Ó 1a| 1cÂ 1dâ 1eÊ 24º 40Í 5bÃ 5cÕ 5dÚ 60~ 7bã 7cõ 7d`',
    ),
  },
};

/** The tables of two languages; empty for those that are not known, whose texts are read as GSM. */
export const nationalTables = (
  single: number,
  locking: number,
): { single: Table; locking: Table } => ({
  single: LANGUAGES[single]?.single ?? [],
  locking: LANGUAGES[locking]?.locking ?? [],
});
