import { Button, Group, List, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { csvText } from '../../core/csv-text.ts';
import { useFormats } from '../../core/use-formats.ts';
import { saveText } from '../../ui/save-text.ts';
import { refusalText } from './refusal-text.ts';
import type { ChangedAccounts } from './users.api.ts';

/** Refused accounts that are named; the others are counted. */
const SHOWN = 100;

interface ChangeResultsProps {
  done: ChangedAccounts;
  onClose: () => void;
}

/** What became of the changes of many accounts. */
export function ChangeResults({ done, onClose }: ChangeResultsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { changed, refused } = done;
  const left = refused.length - SHOWN;
  const number = (count: number) => ({ count, number: formats.number(count) });
  const save = () => {
    const lines = refused.map(({ id, username, error }) => [id, username, refusalText(t, error)]);
    const head = [t('users:id'), t('users:username'), t('users:suspension.reason')];
    saveText('not-changed.csv', csvText([head, ...lines]), 'text/csv;charset=utf-8');
  };
  return (
    <Stack>
      <Text role="status">{t('users:many.changed', number(changed))}</Text>
      {refused.length > 0 && (
        <section aria-labelledby="refused-accounts">
          <Text fw={600} size="sm" mb="xs" id="refused-accounts">
            {t('users:many.refused', number(refused.length))}
          </Text>
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {refused.slice(0, SHOWN).map(({ id, username, error }) => (
              <List.Item key={id}>
                {t('common:labelled', { label: username, value: refusalText(t, error) })}
              </List.Item>
            ))}
          </List>
          {left > 0 && <Text size="sm">{t('users:many.more', number(left))}</Text>}
        </section>
      )}
      <Group justify="flex-end">
        {refused.length > 0 && (
          <Button variant="default" onClick={save}>
            {t('users:many.save')}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {t('common:close')}
        </Button>
      </Group>
    </Stack>
  );
}
