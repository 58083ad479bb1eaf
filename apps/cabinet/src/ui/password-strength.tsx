import { passwordError } from '@heliograph/domain';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { frontend } from '../core/frontend.ts';
import { passwordStrength } from '../core/password-strength.ts';
import classes from './password-strength.module.css';

/** How hard a new password is to guess, as a meter and in words. */
export function PasswordStrength({ password }: { password: string }) {
  const { t } = useTranslation();
  const limits = frontend.password;
  const strength = passwordStrength(password, limits);
  const broken = password && passwordError(password, limits);
  return (
    <div className={classes.strength} data-strength={strength}>
      <div className={classes.meter} aria-hidden>
        {[1, 2, 3, 4].map((level) => (
          <i key={level} data-on={level <= strength || undefined} />
        ))}
      </div>
      <Text size="xs" c="dimmed" aria-live="polite">
        {broken
          ? t(`common:password.broken.${broken}`, { ...limits })
          : password
            ? t(`common:password.strength.${strength}`)
            : t('common:password.hint', { ...limits })}
      </Text>
    </div>
  );
}
