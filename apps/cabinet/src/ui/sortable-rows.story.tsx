import { Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { SortableRows } from './sortable-rows.tsx';

function Story() {
  const [rows, setRows] = useState(['SMS', 'Viber', 'WhatsApp', 'Voice call']);
  return (
    <SortableRows rows={rows} keyOf={(row) => row} nameOf={(row) => row} onChange={setRows}>
      {(row, _, handle) => (
        <Paper withBorder p="xs">
          <Group gap="sm">
            {handle}
            <Text size="sm">{row}</Text>
          </Group>
        </Paper>
      )}
    </SortableRows>
  );
}

export const story = { title: 'Sortable rows', Story };
