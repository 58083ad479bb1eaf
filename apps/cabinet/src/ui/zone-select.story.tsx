import { Stack } from '@mantine/core';
import { useState } from 'react';
import { ZoneSelect } from './zone-select.tsx';

function Story() {
  const [zone, setZone] = useState<string | null>('Asia/Tokyo');
  const field = { value: zone ?? '', onChange: setZone };
  return (
    <Stack gap="sm">
      <ZoneSelect {...field} label="Time zone" />
      <ZoneSelect {...field} label="With an option for no zone" first="As in the browser" />
    </Stack>
  );
}

export const story = { title: 'Time zone', Story };
