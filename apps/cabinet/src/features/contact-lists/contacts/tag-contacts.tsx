import { MAX_TAG_LENGTH, MAX_TAGS } from '@heliograph/domain';
import { Button, Group, Stack, TagsInput, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../../core/use-last.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useTagContacts, type ChosenContacts } from './contacts.api.ts';

interface TagContactsProps {
  /** Null closes the dialog. */
  tagged: ChosenContacts | null;
  /** How many are meant, as it is shown: "20", "More than 10,000 rows". */
  count: string;
  onDone: () => void;
  onClose: () => void;
}

/** Adds tags to contacts and removes others. */
export function TagContacts({ tagged, count, onDone, onClose }: TagContactsProps) {
  const { t } = useTranslation();
  const last = useLast(tagged, !!tagged);
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      opened={!!tagged}
      onClose={onClose}
      busy={busy}
      title={t('contactLists:contact.tagTitle', { count })}
      size={500}
    >
      {last && <TagForm of={last} onBusy={setBusy} onDone={onDone} onClose={onClose} />}
    </Dialog>
  );
}

interface TagFormProps {
  of: ChosenContacts;
  onBusy: (isBusy: boolean) => void;
  onDone: () => void;
  onClose: () => void;
}

/** Lives as long as the dialog is open, so every opening begins anew. */
function TagForm({ of, onBusy, onDone, onClose }: TagFormProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const [sofar, setSofar] = useState(0);
  const { mutate, isPending } = useTagContacts(setSofar);
  const number = (count: number) => ({ count, number: formats.number(count) });

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!add.length && !remove.length) return;
    onBusy(true);
    mutate(
      { of, add, remove },
      {
        onSuccess({ changed, full }) {
          const done = t('contactLists:contact.tagged', number(changed));
          const left = full && t('contactLists:contact.tagsFull', number(full));
          showSuccess([done, left].filter(Boolean).join(' '));
          onDone();
        },
        onSettled: () => onBusy(false),
      },
    );
  };
  const common = {
    splitChars: [',', ';', '\n'],
    maxTags: MAX_TAGS,
    maxLength: MAX_TAG_LENGTH,
    acceptValueOnBlur: true,
    autoComplete: 'off',
    disabled: isPending,
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TagsInput
          {...common}
          label={t('contactLists:contact.tagsAdded')}
          description={t('contactLists:contact.tagsHint')}
          value={add}
          onChange={setAdd}
          data-autofocus
        />
        <TagsInput
          {...common}
          label={t('contactLists:contact.tagsRemoved')}
          value={remove}
          onChange={setRemove}
        />
        <Text size="sm" c="dimmed" role="status">
          {isPending && sofar > 0 && t('contactLists:contact.tagged', number(sofar))}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!add.length && !remove.length}>
            {t('contactLists:contact.tagSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
