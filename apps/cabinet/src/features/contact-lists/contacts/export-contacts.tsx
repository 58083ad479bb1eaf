import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetched } from '../../../core/lost-chunk.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { useMutationOnce } from '../../../core/use-mutation-once.ts';
import { IconDownload } from '../../../ui/icons.ts';
import { saveText } from '../../../ui/save-text.ts';
import { useFieldName, useFieldTitle } from '../../../ui/use-field-name.ts';
import { allContacts, type FoundContacts } from './contacts.api.ts';

interface ExportContactsProps {
  where: FoundContacts;
  /** Whose contacts they are. */
  OwnerId?: string;
  /** Of the list. */
  title: string;
}

/** Saves all contacts that a filter finds as a file, which an import takes back. Leaving the page ends it. */
export function ExportContacts({ where, OwnerId, title }: ExportContactsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const nameOf = useFieldName(OwnerId);
  const titleOf = useFieldTitle(OwnerId);
  const [sofar, setSofar] = useState(0);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => void (isLeft.current = true);
  }, []);
  const { mutate, isPending } = useMutationOnce({
    async mutationFn() {
      const { ContactFile } = await fetched(() => import('./contact-file.ts'));
      const genderOf = (gender: string) => t(`contactLists:gender.${gender as 'male' | 'female'}`);
      const file = new ContactFile({ nameOf, titleOf, genderOf });
      let count = 0;
      for await (const rows of allContacts(where)) {
        if (isLeft.current) return null;
        for (const row of rows) file.add(row);
        setSofar((count += rows.length));
      }
      return file.text;
    },
    onSuccess: (text) => text && saveText(`${title}.csv`, text, 'text/csv;charset=utf-8'),
    meta: { invalidates: [] },
  });
  const label = t('contactLists:contact.export');
  return (
    <>
      <Tooltip label={label}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={label}
          loading={isPending}
          onClick={() => {
            setSofar(0);
            mutate(undefined);
          }}
        >
          <IconDownload size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Text size="sm" c="dimmed" role="status" className="numeric">
        {isPending &&
          sofar > 0 &&
          t('contactLists:contact.exporting', { number: formats.number(sofar) })}
      </Text>
    </>
  );
}
