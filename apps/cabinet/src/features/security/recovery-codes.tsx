import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCloseByButton } from '../../core/forms/dialog-hold.ts';
import { shownBrand } from '../../core/frontend.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { saveText } from '../../ui/save-text.ts';

interface RecoveryCodesProps {
  codes: string[];
  onDone: () => void;
}

/** Recovery codes, which are shown once: copied, saved or printed. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const { t } = useTranslation();
  useCloseByButton();
  const title = t('common:labelled', {
    label: shownBrand.get().title,
    value: t('security:codes.title'),
  });
  const text = [title, '', ...codes, ''].join('\n');
  return (
    <Stack>
      <Alert color="yellow">{t('security:codes.text')}</Alert>
      <SimpleGrid
        component="ul"
        cols={{ base: 1, xs: 2 }}
        spacing="xs"
        m={0}
        p={0}
        style={{ listStyle: 'none' }}
        aria-label={t('security:codes.title')}
      >
        {codes.map((code) => (
          <Text component="li" key={code} ff="monospace" ta="center" data-code>
            {code}
          </Text>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" size="xs" onClick={copy}>
              {copied ? t('copied') : t('security:codes.copy')}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" size="xs" onClick={() => saveText('recovery-codes.txt', text)}>
          {t('security:codes.download')}
        </Button>
        <Button variant="default" size="xs" onClick={() => printText(title, text)}>
          {t('security:codes.print')}
        </Button>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {t('security:codes.done')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Prints a text alone, without the page around it. */
function printText(title: string, text: string): void {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden';
  frame.title = title;
  document.body.append(frame);
  const { contentWindow: view, contentDocument: page } = frame;
  if (!view || !page) return frame.remove();
  page.title = title;
  const lines = page.createElement('pre');
  lines.textContent = text;
  page.body.append(lines);
  view.addEventListener('afterprint', () => frame.remove());
  view.print();
}
