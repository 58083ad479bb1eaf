import { Button, Group, Text } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import { keysOf } from '../core/query-keys.ts';
import { useParam } from '../core/use-param.ts';
import { RowDialog } from './row-dialog.tsx';

const teaQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('settings').get(id),
    queryFn: () =>
      id === 'keemun'
        ? Promise.resolve({ name: 'Keemun' })
        : Promise.reject(new Error('No server')),
  });

function Story() {
  const [, setId] = useParam('id');
  const [, setCreating] = useParam('create');
  return (
    <Group>
      <Button onClick={() => setCreating('true')}>New</Button>
      <Button onClick={() => setId('keemun')}>Keemun</Button>
      <Button onClick={() => setId('assam')}>Not read</Button>
      <RowDialog
        query={teaQuery}
        mayCreate
        size={500}
        createTitle="A new tea"
        title={(row) => row?.name ?? 'Tea'}
        failed="The tea could not be read"
      >
        {(row, onClose) => (
          <>
            <Text mb="md">{row ? `What is known of ${row.name}.` : 'Its name.'}</Text>
            <Button onClick={onClose}>Save</Button>
          </>
        )}
      </RowDialog>
    </Group>
  );
}

export const story = { title: 'Row dialog', Story };
