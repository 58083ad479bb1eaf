import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../../../core/settings.ts';
import { IconTemplate } from '../../../../ui/icons.ts';
import { later } from '../../../../ui/later.tsx';
import { FallbackChain } from './fallback-chain.tsx';
import { useMessage, useSendForm } from '../form/form-context.ts';
import { MessageParts } from './message-parts.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { Section } from '../form/section.tsx';
import { TemplateChips } from './template-chips.tsx';
import { TypeCards } from './type-cards.tsx';
import { inOrder } from '../form/type-parts.ts';
import { useHasSenders } from './use-has-senders.ts';
import type { Applied } from './use-template.ts';

const SaveTemplate = later(async () => (await import('./save-template.tsx')).SaveTemplate);

export function MessageStep({ applied }: { applied: Applied }) {
  const { t } = useTranslation();
  const { values } = useSendForm();
  const { setType } = useMessage(null);
  const types = inOrder(useSettings().sendings.types);
  const hasSenders = useHasSenders(types);
  const maySave = useCan()('templates.create');
  const [saving, setSaving] = useState(false);
  if (!types.length) return <Alert color="yellow">{t('send:noTypes')}</Alert>;
  return (
    <Stack>
      <Section title={t('send:message')}>
        <Stack>
          <TypeCards types={types} value={values.type} onChange={setType} />
          <TemplateChips applied={applied} />
          <MessageParts fallback={null} />
          {maySave && (
            <Group justify="flex-end">
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<IconTemplate size={16} aria-hidden />}
                onClick={() => setSaving(true)}
              >
                {t('send:saveTemplate')}
              </Button>
            </Group>
          )}
        </Stack>
      </Section>
      <Section title={t('send:fallbacks')}>
        <FallbackChain types={types} hasSenders={hasSenders} />
      </Section>
      <Section title={t('send:schedule')}>
        <ScheduleFields />
      </Section>
      {saving && (
        <SaveTemplate values={values} inUse={applied.template} onClose={() => setSaving(false)} />
      )}
    </Stack>
  );
}
