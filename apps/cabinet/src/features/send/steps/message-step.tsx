import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../../core/settings.ts';
import { IconTemplate } from '../../../ui/icons.ts';
import { later } from '../../../ui/later.tsx';
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

const QUIET = {
  size: 'compact-sm',
  variant: 'subtle',
  leftSection: <IconTemplate size={16} aria-hidden />,
  // A long title takes two lines where there is little room.
  h: 'auto',
  mih: 26,
  styles: { label: { whiteSpace: 'normal', height: 'auto', overflow: 'visible' } },
} as const;

export function MessageStep({ applied }: { applied: Applied }) {
  const { t } = useTranslation();
  const { values } = useSendForm();
  const { setType } = useMessage(null);
  const types = inOrder(useSettings().sendings.types);
  const hasSenders = useHasSenders(types);
  const can = useCan();
  const [saving, setSaving] = useState<'change' | 'new' | null>(null);
  const { template, origin, choose } = applied;
  if (!types.length) return <Alert color="yellow">{t('send:noTypes')}</Alert>;
  return (
    <Stack>
      <Section title={t('send:message')}>
        <Stack>
          <TypeCards types={types} value={values.type} onChange={setType} />
          <TemplateChips applied={applied} />
          <MessageParts fallback={null} />
          <Group justify="flex-end" gap="xs">
            {origin && can('templates.update') && (
              <Button {...QUIET} onClick={() => setSaving('change')}>
                {t('send:templateChange', { title: origin.title })}
              </Button>
            )}
            {can('templates.create') && (
              <Button {...QUIET} onClick={() => setSaving('new')}>
                {t('send:saveTemplate')}
              </Button>
            )}
          </Group>
        </Stack>
      </Section>
      <Section title={t('send:fallbacks')}>
        <FallbackChain types={types} hasSenders={hasSenders} />
      </Section>
      <Section title={t('send:schedule')}>
        <ScheduleFields />
      </Section>
      {saving && (
        <SaveTemplate
          values={values}
          target={saving === 'change' ? origin : null}
          inUse={template}
          onSaved={choose}
          onClose={() => setSaving(null)}
        />
      )}
    </Stack>
  );
}
