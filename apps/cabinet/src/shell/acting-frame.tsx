import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../core/settings.ts';
import { IconArrowBack, IconUser } from '../ui/icons.ts';
import classes from './acting-frame.module.css';
import { leave } from './leave.ts';

/** A frame around the page while the user acts as another account, with the way back. */
export function ActingFrame() {
  const { t } = useTranslation();
  const { username, impersonator } = useSettings().session;
  if (!impersonator) return null;
  return (
    <>
      <div className={classes.frame} aria-hidden />
      <section className={classes.bar} aria-label={t('shell:acting.label')}>
        <IconUser size={20} aria-hidden />
        <Text size="sm" className={classes.text}>
          {t('shell:acting.text', { username, impersonator: impersonator.username })}
        </Text>
        <Button
          size="xs"
          color="dark"
          variant="filled"
          leftSection={<IconArrowBack size={16} aria-hidden />}
          onClick={() => void leave()}
        >
          {t('shell:account.back')}
        </Button>
      </section>
    </>
  );
}
