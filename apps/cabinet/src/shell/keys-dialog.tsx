import { Stack, Switch, Table, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { OVER } from '../core/forms/on-top.ts';
import { usePersonal } from '../core/personal/use-personal.ts';
import { Keys } from '../ui/keys.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CONVERSATION_KEYS, GENERAL_KEYS, LIST_KEYS, SEND_KEYS, type Place } from './keymap.ts';

interface KeysDialogProps {
  places: Place[];
  opened: boolean;
  onClose: () => void;
}

/** Every key there is, and the switch for those who speak to their computer or type by accident. */
export function KeysDialog({ places, opened, onClose }: KeysDialogProps) {
  const { t } = useTranslation();
  const [isOn = true, setOn] = usePersonal('shortcuts');
  const sections = [
    {
      name: 'general',
      lines: Object.entries(GENERAL_KEYS).map(([id, keys]) => [keys, t(`shell:keys.${id}`)]),
    },
    { name: 'go', lines: places.map(({ letter, label }) => [`g ${letter}`, t(label)]) },
    {
      name: 'lists',
      lines: Object.entries(LIST_KEYS).map(([id, keys]) => [keys, t(`shell:keys.list.${id}`)]),
    },
    {
      name: 'send',
      lines: Object.entries(SEND_KEYS).map(([id, keys]) => [keys, t(`shell:keys.send.${id}`)]),
    },
    {
      name: 'conversations',
      lines: Object.entries(CONVERSATION_KEYS).map(([id, keys]) => [
        keys,
        t(`shell:keys.conversations.${id}`),
      ]),
    },
  ];
  return (
    <Dialog {...OVER} opened={opened} onClose={onClose} size={600} title={t('shell:keys.title')}>
      <Stack>
        <Switch
          checked={isOn}
          onChange={(event) => setOn(event.currentTarget.checked)}
          label={t('shell:keys.single')}
          description={t('shell:keys.singleText')}
        />
        {sections.map(({ name, lines }) => (
          <section key={name}>
            <Title order={2} size="h6" mb={4}>
              {t(`shell:keys.section.${name}`)}
            </Title>
            <Table>
              <Table.Tbody>
                {lines.map(([keys, text]) => (
                  <Table.Tr key={keys}>
                    <Table.Th scope="row" fw={400}>
                      {text}
                    </Table.Th>
                    <Table.Td w={150}>
                      <Keys keys={keys!} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        ))}
      </Stack>
    </Dialog>
  );
}
