import { ActionIcon } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { toggleBlur, useBlur } from '../core/privacy.ts';
import { IconEye, IconEyeOff } from './icons.ts';

/** Blurs sensitive values on all pages; stored in this browser. */
export function BlurToggle() {
  const { t } = useTranslation();
  const blurred = useBlur();
  const label = blurred ? t('blur.off') : t('blur.on');
  const BadgeIcon = blurred ? IconEyeOff : IconEye;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={toggleBlur}
    >
      <BadgeIcon size={22} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
