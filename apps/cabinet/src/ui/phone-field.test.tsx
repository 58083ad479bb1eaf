import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { PhoneField } from './phone-field.tsx';

function Field({ onInvalid }: { onInvalid: () => void }) {
  const [value, setValue] = useState({ country: 'RU', phone: '' });
  return (
    <>
      <PhoneField
        {...value}
        onChange={(changes) => setValue((before) => ({ ...before, ...changes }))}
        onInvalid={onInvalid}
      />
      <output>{JSON.stringify(value)}</output>
    </>
  );
}

async function drawField() {
  const onInvalid = vi.fn<() => void>();
  const { user } = await draw(<Field onInvalid={onInvalid} />);
  return {
    user,
    onInvalid,
    phone: screen.getByRole<HTMLInputElement>('textbox'),
    country: screen.getByRole('combobox', { name: i18n.t('common:phone.country') }),
  };
}
const value = () => JSON.parse(screen.getByRole('status').textContent) as object;

test('writes a national number in E.164 when the field is left', async () => {
  const { user, phone, onInvalid } = await drawField();
  await user.type(phone, '8 (900) 555-77-11');
  await user.tab();
  await waitFor(() => expect(value()).toEqual({ country: 'RU', phone: '+79005557711' }));
  expect(onInvalid).not.toHaveBeenCalled();
});

test('selects the country that a number names', async () => {
  const { user, phone } = await drawField();
  await user.type(phone, '+49 171 1234567');
  await user.tab();
  await waitFor(() => expect(value()).toEqual({ country: 'DE', phone: '+491711234567' }));
});

test('reports what is not a phone number, and leaves it as it was typed', async () => {
  const { user, phone, onInvalid } = await drawField();
  await user.type(phone, '12345');
  await user.tab();
  await waitFor(() => expect(onInvalid).toHaveBeenCalledOnce());
  expect(phone.value).toBe('12345');
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
