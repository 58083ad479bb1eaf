import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contactField, parseContactDate, parseGender } from './contact-fields.ts';

describe('contactField', () => {
  it.each([
    [
      'phone',
      'phone,tel,telephone,mobile,msisdn,number,Телефон,Номер,Номер телефона,Моб,Мобильный,Сотовый,Тел.,Мобильный телефон,Phone number',
    ],
    ['email', 'email,e-mail,mail,email address,Почта,Эл. почта,Электронная почта,Имейл'],
    ['firstName', 'name,firstname,first name,first_name,FirstName,Имя'],
    ['lastName', 'lastname,last name,surname,family name,Фамилия'],
    ['middleName', 'middlename,patronymic,Отчество'],
    ['date', 'date,birthday,birthdate,dob,date of birth,Дата,Дата рождения,День рождения,ДР'],
    ['gender', 'gender,sex,Пол'],
    ['custom01', 'custom1,custom01,Поле 1,CUSTOM_1'],
    ['custom20', 'custom20,Поле 20'],
  ])('%s: %s', (field, headers) => {
    for (const header of headers.split(',')) {
      expect([header, contactField(header)]).toEqual([header, field]);
      expect(contactField(` ${header.toUpperCase()} `)).toBe(field);
    }
  });

  it.each(['', 'custom', 'custom0', 'custom21', 'custom001', 'custom100', 'comment', 'Поле'])(
    '%j is no field',
    (header) => {
      expect(contactField(header)).toBeNull();
    },
  );

  it('reads the header of a file that begins with a byte order mark', () => {
    expect(contactField('\ufeffphone')).toBe('phone');
  });
});

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
    ['29.02.1900', null],
    ['29.02.2000', '2000-02-29'],
    ['31.04.2024', null],
    ['28/02/1990', null],
    ['1990-13-01', null],
    ['1990-1-1', null],
    ['0000-01-01', null],
    ['1990-02-28T00:00:00Z', null],
    ['tomorrow', null],
    ['', null],
  ])('%j is %j', (text, expected) => {
    expect(parseContactDate(text)).toBe(expected);
  });

  it('gives every day of the calendar back from its three forms', () => {
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
