import { Stack } from '@mantine/core';
import { useState } from 'react';
import { DEFAULT_COUNTRY } from '../core/countries.ts';
import { PhoneField } from './phone-field.tsx';

function Story() {
  const [value, setValue] = useState({ country: DEFAULT_COUNTRY, phone: '' });
  return (
    <Stack gap="sm">
      <PhoneField
        {...value}
        required={false}
        onChange={(changes) => setValue((before) => ({ ...before, ...changes }))}
      />
    </Stack>
  );
}

export const story = { title: 'Phone field', Story };
