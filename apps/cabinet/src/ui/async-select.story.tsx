import { Stack } from '@mantine/core';
import { useState } from 'react';
import { AsyncMultiSelect } from './async-multi-select.tsx';
import type { OptionSource } from './async-options.ts';
import { AsyncSelect } from './async-select.tsx';

const TEAS = ['Assam', 'Ceylon', 'Darjeeling', 'Keemun', 'Lapsang Souchong', 'Sencha', 'Yunnan'];

const source: OptionSource<string> = {
  noun: 'settings',
  params: ['story'],
  find: ({ limit, search = '' }) => {
    const found = TEAS.filter((tea) => tea.toLowerCase().includes(search.toLowerCase()));
    return Promise.resolve({ data: found.slice(0, limit) });
  },
  toOption: (tea) => ({ value: tea, label: tea }),
};
const failing: OptionSource<string> = {
  ...source,
  params: ['failing story'],
  find: () => Promise.reject(new Error('No server')),
};

function Story() {
  const [tea, setTea] = useState<string | null>('Keemun');
  const [teas, setTeas] = useState<string[]>(['Assam']);
  const selected = teas.map((value) => ({ value, label: value }));
  return (
    <Stack gap="sm">
      <AsyncSelect label="One" source={source} value={tea} onChange={setTea} />
      <AsyncMultiSelect
        label="Several"
        source={source}
        value={teas}
        selected={selected}
        onChange={setTeas}
      />
      <AsyncSelect label="Not loaded" source={failing} value={null} onChange={() => {}} />
    </Stack>
  );
}

export const story = { title: 'Async select', Story };
