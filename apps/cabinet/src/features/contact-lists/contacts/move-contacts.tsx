import { contactLists, type ContactList } from '@heliograph/contract';
import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { useFormats } from '../../../core/use-formats.ts';
import { useLast } from '../../../core/use-last.ts';
import type { OptionSource } from '../../../ui/async-options.ts';
import { AsyncSelect } from '../../../ui/async-select.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useMoveContacts, type ChosenContacts } from './contacts.api.ts';

interface MoveContactsProps {
  /** Null closes the dialog. */
  chosen: ChosenContacts | null;
  /** How many are meant, as it is shown: "20", "More than 10,000 rows". */
  count: string;
  /** The list that they are in. */
  from: ContactList | undefined;
  /** Else they can be copied only. */
  mayMove: boolean;
  onDone: () => void;
  onClose: () => void;
}

/** Moves contacts to another list of the account, or copies them. */
export function MoveContacts({ chosen, count, from, ...props }: MoveContactsProps) {
  const { t } = useTranslation();
  const last = useLast(chosen, !!chosen);
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      opened={!!chosen}
      onClose={props.onClose}
      busy={busy}
      title={t('contactLists:contact.moveTitle', { count })}
      size={500}
    >
      {last && from && <MoveForm {...props} of={last} from={from} onBusy={setBusy} />}
    </Dialog>
  );
}

interface MoveFormProps extends Pick<MoveContactsProps, 'mayMove' | 'onDone' | 'onClose'> {
  of: ChosenContacts;
  from: ContactList;
  onBusy: (isBusy: boolean) => void;
}

/** Lives as long as the dialog is open, so every opening begins anew. */
function MoveForm({ of, from, mayMove, onBusy, onDone, onClose }: MoveFormProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [to, setTo] = useState<string | null>(null);
  const [way, setWay] = useState(mayMove ? 'move' : 'copy');
  const [sofar, setSofar] = useState(0);
  const { mutate, isPending } = useMoveContacts(setSofar);
  const copy = way === 'copy';
  const number = (count: number) => ({ count, number: formats.number(count) });
  const done = (added: number) =>
    t(copy ? 'contactLists:contact.copied' : 'contactLists:contact.moved', number(added));

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!to) return;
    onBusy(true);
    setSofar(0);
    mutate(
      { of, to, copy },
      {
        onSuccess({ added, existing }) {
          const left = existing && t('contactLists:contact.moveExisting', number(existing));
          showSuccess([done(added), left].filter(Boolean).join(' '));
          onDone();
        },
        onSettled: () => onBusy(false),
      },
    );
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <AsyncSelect
          source={otherLists(from)}
          value={to}
          onChange={setTo}
          label={t('contactLists:contact.moveTo')}
          description={t('contactLists:contact.moveHint')}
          empty={t('contactLists:contact.moveNowhere')}
          disabled={isPending}
          required
        />
        {mayMove && (
          <Radio.Group value={way} onChange={setWay} label={t('contactLists:contact.moveWay')}>
            <Stack gap="xs" mt="xs">
              <Radio
                value="move"
                label={t('contactLists:contact.moveSubmit')}
                disabled={isPending}
              />
              <Radio
                value="copy"
                label={t('contactLists:contact.copySubmit')}
                disabled={isPending}
              />
            </Stack>
          </Radio.Group>
        )}
        <Text size="sm" c="dimmed" role="status">
          {sofar > 0 && done(sofar)}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!to}>
            {copy ? t('contactLists:contact.copySubmit') : t('contactLists:contact.moveSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const otherLists = ({ id: from, OwnerId }: ContactList): OptionSource<ContactList> => ({
  noun: 'contactLists',
  params: ['others', OwnerId, from],
  async find({ limit, search }, signal) {
    const { data } = await api(contactLists.find, {
      query: {
        // One of them may be that which is left out.
        limit: limit + 1,
        search,
        order: [{ field: 'title', direction: 'asc' }],
        filter: { OwnerId },
      },
      signal,
    });
    return { data: data.filter(({ id }) => id !== from).slice(0, limit) };
  },
  toOption: ({ id, title }) => ({ value: id, label: title }),
});
