import { Stack } from '@mantine/core';
import { useState } from 'react';
import { OptimisticSwitch } from './optimistic-switch.tsx';

const PAUSE_MS = 1000;
const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

function Story() {
  const [checked, setChecked] = useState(false);
  return (
    <Stack gap="sm">
      <OptimisticSwitch
        label="Saved after a second"
        checked={checked}
        save={(next) => pause().then(() => setChecked(next))}
      />
      <OptimisticSwitch
        label="Refused after a second"
        checked={false}
        save={() => pause().then(() => Promise.reject(new Error('No server')))}
      />
    </Stack>
  );
}

export const story = { title: 'Optimistic switch', Story };
