import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { frontend } from '../../core/frontend.ts';
import classes from './auth.module.css';
import { strengthOf } from './credentials.ts';

/** How hard a new password is to guess; said, not only coloured. */
export function PasswordStrength({ password }: { password: string }) {
  const { t } = useTranslation();
  const strength = strengthOf(password, frontend.password);
  return (
    <div className={classes.strength} data-strength={strength}>
      <div className={classes.meter} aria-hidden>
        {[1, 2, 3, 4].map((level) => (
          <i key={level} data-on={level <= strength || undefined} />
        ))}
      </div>
      <Text size="xs" c="dimmed" aria-live="polite">
        {password
          ? t(`auth:strength.${strength}`)
          : t('auth:registration.passwordHint', { ...frontend.password })}
      </Text>
    </div>
  );
}
