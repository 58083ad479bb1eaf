import { Stack } from '@mantine/core';
import { useState } from 'react';
import { NumberField } from './number-field.tsx';

function Story() {
  const [share, setShare] = useState<number | null>(12.5);
  const [hours, setHours] = useState<number | null>(null);
  return (
    <Stack gap="sm">
      <NumberField
        label="Share, 0 to 100"
        unit="%"
        min={0}
        max={100}
        value={share}
        onChange={setShare}
      />
      <NumberField
        label="Whole hours"
        unit="h"
        scale={0}
        min={1}
        value={hours}
        onChange={setHours}
      />
    </Stack>
  );
}

export const story = { title: 'Number field', Story };
