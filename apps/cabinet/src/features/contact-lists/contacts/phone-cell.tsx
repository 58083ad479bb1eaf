import { ActionIcon, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { copy } from '../../../core/copy.ts';
import { IconCopy } from '../../../ui/icons.ts';

export function PhoneCell({ phone }: { phone: string | null }) {
  const { t } = useTranslation();
  if (!phone) return null;
  return (
    <Group gap={4} wrap="nowrap">
      <span className="numeric">{phone}</span>
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
