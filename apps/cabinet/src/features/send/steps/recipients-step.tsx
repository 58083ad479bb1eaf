import { Button, Group, Stack, Tabs } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../core/use-formats.ts';
import { useSendForm } from '../form/send-form.ts';
import { ListPicker } from './list-picker.tsx';
import { RecipientTotals } from './recipient-totals.tsx';
import { Section } from '../form/section.tsx';
import { entriesOf, type Side } from '../form/send-values.ts';
import { TypedRecipients } from './typed-recipients.tsx';

/** Included and excluded recipients. */
export function RecipientsStep() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { values, errors } = useSendForm();
  const [side, setSide] = useState<Side>(errors.exclude ? 'exclude' : 'include');
  const label = (of: Side) => {
    const count = values[of].lists.length + entriesOf(values[of].typed).length;
    return count ? t(`send:${of}Count`, { number: formats.number(count) }) : t(`send:${of}`);
  };
  return (
    <Stack>
      <Section title={t('send:recipients')}>
        <Tabs value={side} onChange={(next) => setSide(next as Side)} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="include">{label('include')}</Tabs.Tab>
            <Tabs.Tab value="exclude">{label('exclude')}</Tabs.Tab>
          </Tabs.List>
          {(['include', 'exclude'] as const).map((of) => (
            <Tabs.Panel key={of} value={of} data-path={of}>
              <Stack>
                <ListPicker side={of} />
                <TypedRecipients side={of} />
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
      </Section>
      <Section title={t('send:reckoned')}>
        <RecipientTotals />
      </Section>
      {side === 'include' && errors.exclude && (
        <Group>
          <Button variant="default" onClick={() => setSide('exclude')}>
            {t('send:toExclude')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
