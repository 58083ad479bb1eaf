import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOrderIn, dateOrderOf, parseContactDate, parseGender } from './contact-fields.ts';

describe('parseGender', () => {
  it.each([
    ['м', 'male'],
    ['Муж.', 'male'],
    ['мужской', 'male'],
    ['M', 'male'],
    [' male ', 'male'],
    ['ж', 'female'],
    ['жен', 'female'],
    ['Женский', 'female'],
    ['f', 'female'],
    ['FEMALE', 'female'],
    ['', null],
    ['Мужчина', 'male'],
    ['Hombre', 'male'],
    ['weiblich', 'female'],
    ['Féminin', 'female'],
    ['x', null],
  ])('%j is %j', (text, expected) => {
    expect(parseGender(text)).toBe(expected);
  });
});

describe('parseContactDate', () => {
  it.each([
    ['1990-02-28', '1990-02-28'],
    ['28.02.1990', '1990-02-28'],
    ['1.2.1990', '1990-02-01'],
    ['02/28/1990', '1990-02-28'],
    ['02/01/1990', '1990-02-01'],
    ['02.01.1990', '1990-01-02'],
    ['29.02.2024', '2024-02-29'],
    ['29.02.2023', null],
    // Digits, hyphens and slashes of any script, as in phones.
    ['٠٥.١٢.١٩٩٠', '1990-12-05'],
    ['１９９０／１２／０５', '1990-12-05'],
    ['1990\u201112\u201105', '1990-12-05'],
    ['1990–12–05', '1990-12-05'],
    ['２８．０２．１９９０', '1990-02-28'],
    ['29.02.1900', null],
    ['29.02.2000', '2000-02-29'],
    ['31.04.2024', null],
    ['28\u200e.02.\u200b1990', '1990-02-28'],
    ['01.01.0001', null],
    ['0001-01-01T00:00:00', null],
    ['28/02/1990', null],
    ['1990-13-01', null],
    ['1990-1-1', '1990-01-01'],
    ['1990/12/05', '1990-12-05'],
    ['1990.12.05', '1990-12-05'],
    ['12-05-1990', '1990-12-05'],
    ['05-12/1990', null],
    ['0000-01-01', null],
    ['1990-02-28T00:00:00Z', '1990-02-28'],
    ['1990-02-28T23:59:59.999+03:00', '1990-02-28'],
    ['28.02.1990 12:30', '1990-02-28'],
    // As Postgres, BigQuery, .NET, JavaScript and people write it.
    ['1990-02-28 00:00:00+03', '1990-02-28'],
    ['1990-02-28 00:00:00.000000 UTC', '1990-02-28'],
    ['2/28/1990 12:00:00 AM', '1990-02-28'],
    ['28/02/1990 6:30 p.m.', null],
    ['28.02.1990 г.', '1990-02-28'],
    ['28.02.1990г', '1990-02-28'],
    ['28. 2. 1990', '1990-02-28'],
    ['28.02.1990\u00a00:00:00', '1990-02-28'],
    ['28. 02.19 90', null],
    ['1990-W09-3', null],
    ['1990-059', null],
    ['28.02.90', null],
    ['1990-02-28T', null],
    ['tomorrow', null],
    ['', null],
  ])('%j is %j', (text, expected) => {
    expect(parseContactDate(text)).toBe(expected);
  });

  it('parses every day of the calendar in all three formats', () => {
    const day = fc.date({
      min: new Date('1000-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, (date) => {
        const iso = date.toISOString().slice(0, 10);
        const [y, m, d] = iso.split('-');
        for (const text of [iso, `${d}.${m}.${y}`, `${m}/${d}/${y}`]) {
          expect(parseContactDate(text)).toBe(iso);
        }
      }),
    );
  });
});

describe('the order of day and month', () => {
  it.each([
    ['25/12/1990', 'day'],
    ['25-12-1990', 'day'],
    ['12/25/1990', 'month'],
    ['05/12/1990', null],
    ['25.12.1990', null],
    ['1990-12-25', null],
    ['31/31/1990', null],
    ['x', null],
  ])('%j is %j', (text, order) => {
    expect(dateOrderOf(text)).toBe(order);
  });

  it('is that of the country where both are possible', () => {
    expect(parseContactDate('05/12/1990', dateOrderIn('DE'))).toBe('1990-12-05');
    expect(parseContactDate('05/12/1990', dateOrderIn('US'))).toBe('1990-05-12');
  });
});
