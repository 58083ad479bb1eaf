import { ActionIcon, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { tryCopy } from '../../../core/copy.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { IconCopy } from '../../../ui/icons.ts';

export function PhoneCell({ phone }: { phone: string | null }) {
  const { t } = useTranslation();
  if (!phone) return null;
  const copy = async () => {
    if (await tryCopy(phone)) showSuccess(t('contactLists:contact.phoneCopied'));
  };
  return (
    <Group gap={4} wrap="nowrap">
      <span className="numeric">{phone}</span>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('contactLists:contact.copyPhone', { phone })}
        onClick={() => void copy()}
      >
        <IconCopy size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
