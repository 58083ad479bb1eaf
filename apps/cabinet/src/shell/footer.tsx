import { Anchor, Button, Group, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSettings } from '../core/settings.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Copyright, Documents } from '../ui/documents.tsx';
import { IconCheck, IconCopy } from '../ui/icons.ts';
import classes from './shell.module.css';
import { loadedVersion, useNewVersion } from './version.ts';

/** Product and version, an update button, legal documents and keyboard shortcuts. */
export function Footer({ onKeys }: { onKeys: () => void }) {
  const { t } = useTranslation();
  const { frontend } = useSettings();
  const next = useNewVersion();
  const version = loadedVersion();
  return (
    <footer className={classes.footer}>
      <Group gap="md" justify="center">
        <Copyright />
        <CopyButton value={`${frontend.title} ${version}`}>
          {({ copied, copy }) => (
            <UnstyledButton
              className={classes.footerLink}
              onClick={copy}
              title={t('shell:copyVersion')}
            >
              {t('shell:version', { version })}
              {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            </UnstyledButton>
          )}
        </CopyButton>
        {next && (
          <Button size="compact-xs" onClick={() => location.reload()}>
            {t('shell:update.to', { version: next })}
          </Button>
        )}
        <Anchor component={Link} to="/about" size="xs" c="dimmed">
          {t('shell:about.title')}
        </Anchor>
        <Anchor component={Link} to="/documentation" size="xs" c="dimmed">
          {t('documentation')}
        </Anchor>
        <Documents />
        <UnstyledButton className={classes.footerLink} onClick={onKeys} visibleFrom="md">
          {t('shell:keys.title')} <kbd>?</kbd>
        </UnstyledButton>
      </Group>
    </footer>
  );
}
