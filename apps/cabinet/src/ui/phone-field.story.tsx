import { Stack } from '@mantine/core';
import { useState } from 'react';
import { DEFAULT_COUNTRY } from '../core/countries.ts';
import { PhoneField } from './phone-field.tsx';

function Story() {
  const [value, setValue] = useState({ country: DEFAULT_COUNTRY, phone: '' });
  const [isInvalid, setInvalid] = useState(false);
  return (
    <Stack gap="sm">
      <PhoneField
        {...value}
        required={false}
        error={isInvalid && 'This is not a phone number.'}
        onChange={(changes) => {
          setInvalid(false);
          setValue((before) => ({ ...before, ...changes }));
        }}
        onInvalid={() => setInvalid(true)}
      />
    </Stack>
  );
}

export const story = { title: 'Phone field', Story };
