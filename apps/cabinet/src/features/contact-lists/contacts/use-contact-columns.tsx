import { CUSTOM_FIELDS, type Contact } from '@heliograph/contract';
import { parseContactDate } from '@heliograph/domain';
import { ActionIcon, Badge, Group } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { copy } from '../../../core/copy.ts';
import { useFormats } from '../../../core/use-formats.ts';
import type { GridColumn } from '../../../list/grid/grid-column.ts';
import { IconCopy } from '../../../ui/icons.ts';
import { PersonLink } from '../../../ui/person-link.tsx';
import { Time } from '../../../ui/time.tsx';
import { useFieldName, useNamedField } from '../../../ui/use-field-name.ts';
import { TEXT_FIELDS, type EditedField } from './contact-values.ts';
import { EditableCell } from './editable-cell.tsx';

const WIDTHS: Partial<Record<EditedField, number>> = {
  phone: 180,
  email: 220,
  date: 140,
  gender: 100,
};
const SORTABLE: EditedField[] = ['phone', 'lastName'];

/** While the list is edited every cell is a field of its own. */
export function useContactColumns(isEdited: boolean, OwnerId?: string): GridColumn<Contact>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  const nameOf = useFieldName(OwnerId);
  const typeOf = useNamedField(OwnerId);
  return useMemo(() => {
    const shown = (row: Contact, field: EditedField) => {
      if (field === 'phone') return <PhoneCell phone={row.phone} OwnerId={OwnerId} />;
      // The one address by which the person is known.
      if (field === 'email' && row.email && !row.phone)
        return (
          <PersonLink address={row.email} OwnerId={OwnerId}>
            {row.email}
          </PersonLink>
        );
      if (field === 'gender') return row.gender && t(`contactLists:gender.${row.gender}`);
      if (field === 'date') return row.date && formats.day(row.date);
      const value = row[field] ?? '';
      const { type } = typeOf(field) ?? {};
      if (type === 'boolean' && (value === 'true' || value === 'false'))
        return t(`contactLists:boolean.${value}`);
      if (type === 'date' && parseContactDate(value) === value) return formats.day(value);
      return value;
    };
    const column = (field: EditedField): GridColumn<Contact> => ({
      id: field,
      header: nameOf(field),
      cell: (row) =>
        isEdited ? (
          <EditableCell row={row} field={field} name={nameOf(field)} type={typeOf(field)} />
        ) : (
          shown(row, field)
        ),
      sortable: SORTABLE.includes(field),
      width: isEdited ? 180 : WIDTHS[field],
      isSensitive: !isEdited && field !== 'gender',
      ...(field === 'phone' && { card: 'title' as const }),
    });
    return [
      ...TEXT_FIELDS.map((field) => ({
        ...column(field),
        ...(field === 'middleName' && { isOptional: true }),
        ...((field === 'date' || field === 'gender') && { hideBelow: 'lg' as const }),
      })),
      {
        id: 'tags',
        header: t('contactLists:contact.tags'),
        cell: (row) => <TagBadges tags={row.tags} />,
        width: 180,
        // With it the names would have no room left.
        hideBelow: 'xl' as const,
      },
      ...CUSTOM_FIELDS.map((field) => ({ ...column(field), isOptional: true })),
      {
        id: 'createdAt',
        header: t('contactLists:contact.created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        isOptional: true,
      },
      {
        id: 'updatedAt',
        header: t('contactLists:contact.updated'),
        cell: (row) => <Time at={row.updatedAt} />,
        sortable: true,
        width: 150,
        isOptional: true,
      },
    ];
  }, [t, formats, nameOf, typeOf, isEdited, OwnerId]);
}

function TagBadges({ tags }: { tags: string[] }) {
  if (!tags.length) return null;
  return (
    <Group gap={4}>
      {tags.map((tag) => (
        <Badge key={tag} variant="light" color="gray" tt="none">
          {tag}
        </Badge>
      ))}
    </Group>
  );
}

function PhoneCell({ phone, OwnerId }: { phone: string | null; OwnerId?: string }) {
  const { t } = useTranslation();
  if (!phone) return null;
  return (
    <Group gap={4} wrap="nowrap">
      <span className="numeric">
        <PersonLink address={phone} OwnerId={OwnerId}>
          {phone}
        </PersonLink>
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('contactLists:contact.copyPhone', { phone })}
        onClick={() => void copy(phone, t('contactLists:contact.phoneCopied'))}
      >
        <IconCopy size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
