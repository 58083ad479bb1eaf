import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { PhoneField } from './phone-field.tsx';

function Field() {
  const [value, setValue] = useState({ country: 'RU', phone: '' });
  return (
    <>
      <PhoneField
        {...value}
        onChange={(changes) => setValue((before) => ({ ...before, ...changes }))}
      />
      <output>{JSON.stringify(value)}</output>
    </>
  );
}

async function drawField() {
  const { user } = await draw(<Field />);
  return {
    user,
    phone: screen.getByRole<HTMLInputElement>('textbox'),
    country: screen.getByRole('combobox', { name: i18n.t('common:phone.country') }),
  };
}
const value = () => JSON.parse(screen.getByRole('status').textContent) as object;

test('writes a national number in E.164 when the field is left', async () => {
  const { user, phone } = await drawField();
  await user.type(phone, '8 (900) 555-77-11');
  await user.tab();
  await waitFor(() => expect(value()).toEqual({ country: 'RU', phone: '+79005557711' }));
});

test('selects the country that a number names', async () => {
  const { user, phone } = await drawField();
  await user.type(phone, '+49 171 1234567');
  await user.tab();
  await waitFor(() => expect(value()).toEqual({ country: 'DE', phone: '+491711234567' }));
});

test('marks what is not a phone number, until it is changed', async () => {
  const { user, phone } = await drawField();
  await user.type(phone, '12345');
  await user.tab();
  await screen.findByText(i18n.t('common:phone.invalid'));
  expect(phone.value).toBe('12345');
  await user.type(phone, '6');
  expect(screen.queryByText(i18n.t('common:phone.invalid'))).toBeNull();
});

test('replaces only a calling code when another country is selected', async () => {
  const { user, phone, country } = await drawField();
  await user.type(phone, '+7');
  await user.selectOptions(country, 'BY');
  expect(value()).toEqual({ country: 'BY', phone: '+375' });
  await user.type(phone, '29');
  await user.selectOptions(country, 'RU');
  expect(value()).toEqual({ country: 'RU', phone: '+37529' });
});

test('takes no more than 16 digits, however they are written', async () => {
  const { user, phone } = await drawField();
  await user.type(phone, '+123 456 789 012 345 678 9');
  expect(phone.value.replace(/\D/g, '')).toBe('1234567890123456');
  await user.tab();
  await screen.findByText(i18n.t('common:phone.invalid'));
});

test.each([
  ['+7 (900) 555‑77‑11', '+79005557711'],
  ['8\u00a0900\u00a0555-77-11', '+79005557711'],
  ['00 49 171 1234567', '+491711234567'],
  ['8 10 49 171 1234567', '+491711234567'],
])('takes %j as it is pasted', async (text, number) => {
  const { user, phone } = await drawField();
  await user.click(phone);
  await user.paste(text);
  expect(phone.value).toBe(text);
  await user.tab();
  await waitFor(() => expect(value()).toMatchObject({ phone: number }));
});
