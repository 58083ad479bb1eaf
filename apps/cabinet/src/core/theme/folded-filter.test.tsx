import { Autocomplete, MultiSelect, Select, TagsInput } from '@mantine/core';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';

const CITIES = ['Орёл', 'Йошкар-Ола', 'Sète', 'Straßburg', 'Málaga'];
const DATA = { label: 'City', data: CITIES };
const FIELDS = {
  Select: <Select {...DATA} searchable />,
  MultiSelect: <MultiSelect {...DATA} searchable />,
  Autocomplete: <Autocomplete {...DATA} />,
  TagsInput: <TagsInput {...DATA} />,
};

test.each(Object.keys(FIELDS) as (keyof typeof FIELDS)[])(
  '%s finds options whatever their case, accents and composition',
  async (name) => {
    const { user } = await draw(FIELDS[name]);
    const input = screen.getByRole('combobox', { name: 'City' });
    const found = async (typed: string) => {
      await user.clear(input);
      await user.type(input, typed);
      return screen.queryAllByRole('option').map((option) => option.textContent);
    };
    expect(await found('ОРЕЛ')).toEqual(['Орёл']);
    expect(await found('Sete')).toEqual(['Sète']);
    expect(await found('málaga'.normalize('NFD'))).toEqual(['Málaga']);
    expect(await found('STRASSB')).toEqual(['Straßburg']);
    expect(await found('ола йошкар')).toEqual(['Йошкар-Ола']);
    // Another letter, not an accent.
    expect(await found('иошкар')).toEqual([]);
  },
);

test('groups without a match are left out, and the limit is that of all', async () => {
  const data = [
    { group: 'North', items: ['Ели', 'Ёлки'] },
    { group: 'South', items: ['Елец', 'Сочи'] },
    { group: 'West', items: ['Тверь'] },
  ];
  const { user } = await draw(<Select label="City" data={data} searchable limit={2} />);
  await user.type(screen.getByRole('combobox', { name: 'City' }), 'ел');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Ели',
    'Ёлки',
  ]);
  expect(screen.queryByText('West')).toBeNull();
});
