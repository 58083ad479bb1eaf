import { Stack } from '@mantine/core';
import { useState } from 'react';
import { CurrencySelect } from './currency-select.tsx';

function Story() {
  const [currency, setCurrency] = useState<string | null>('EUR');
  const field = { value: currency ?? '', onChange: setCurrency };
  return (
    <Stack gap="sm">
      <CurrencySelect {...field} label="Currency" />
      <CurrencySelect {...field} label="With an option for none" first="As the installation" />
    </Stack>
  );
}

export const story = { title: 'Currency', Story };
