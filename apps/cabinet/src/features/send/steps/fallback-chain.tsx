import type { SendingType } from '@heliograph/contract';
import { MAX_FALLBACKS } from '@heliograph/domain';
import { Button, Fieldset, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../../core/settings.ts';
import { findQuery } from '../../../list/state/use-list.ts';
import { IconArrowDown, IconPlus, IconTrash } from '../../../ui/icons.ts';
import { later } from '../../../ui/later.tsx';
import { sendernameSpec } from '../../sendernames/sendernames.api.ts';
import { focusDrawn, useMessage, useSendForm } from '../form/send-form.ts';
import { emptyFallback } from '../form/send-values.ts';
import { MessageParts } from './message-parts.tsx';
import { useTriggerText } from './use-trigger-text.ts';

const TriggerFields = later(async () => (await import('./trigger-fields.tsx')).TriggerFields);

interface FallbackChainProps {
  types: SendingType[];
  /** Is there a name to send anything under? */
  hasSenders: boolean;
}

/** Other channels, one below the other, for those whom the message does not reach. */
export function FallbackChain({ types, hasSenders }: FallbackChainProps) {
  const { t } = useTranslation();
  const form = useSendForm();
  const { fallbacks } = form.values;
  const [firstType] = types;
  // Complete fallbacks are collapsed; new and invalid ones are expanded.
  const [open, setOpen] = useState<string | null>(null);
  const isWrong = (at: number) =>
    Object.keys(form.errors).some((path) => path.startsWith(`fallbacks.${at}.`));
  const add = () => {
    const added = emptyFallback(firstType!);
    setOpen(added.id);
    form.set({ fallbacks: [...fallbacks, added] });
    focusDrawn(`fallbacks.${fallbacks.length}.type`, 'nearest');
  };
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t('send:fallbacksHint')}
      </Text>
      {fallbacks.map(({ id }, at) => (
        <FallbackCard
          key={id}
          at={at}
          types={types}
          isOpen={open === id || isWrong(at)}
          onToggle={() => setOpen(open === id ? null : id)}
        />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          data-path="fallbacks.add"
          disabled={fallbacks.length >= MAX_FALLBACKS || !firstType || !hasSenders}
          onClick={add}
        >
          {t('send:addFallback')}
        </Button>
      </div>
      {!hasSenders && <Text size="xs">{t('send:noSenders')}</Text>}
      {fallbacks.length >= MAX_FALLBACKS && <Text size="xs">{t('send:maxFallbacks')}</Text>}
    </Stack>
  );
}

interface FallbackCardProps {
  at: number;
  types: SendingType[];
  isOpen: boolean;
  onToggle: () => void;
}

function FallbackCard({ at, types, isOpen, onToggle }: FallbackCardProps) {
  const { t } = useTranslation();
  const form = useSendForm();
  const triggerText = useTriggerText();
  const { message, setType, field } = useMessage(at);
  const number = at + 1;
  return (
    <div data-path={`fallbacks.${at}`}>
      <Group gap={6} my="xs" wrap="nowrap" align="flex-start">
        <IconArrowDown size={18} aria-hidden style={{ flex: 'none' }} />
        <Text size="sm">{triggerText(form.values.fallbacks[at]!)}</Text>
      </Group>
      <Fieldset legend={t('send:fallback', { number })}>
        <Group justify="space-between" gap="xs" mb={isOpen ? 'md' : 0}>
          <Text size="sm" fw={600}>
            {t(`common:type.${message.type}`)}
            {!isOpen && message.payload.text && (
              <Text span size="sm" c="dimmed" ml="xs" lineClamp={1}>
                {message.payload.text}
              </Text>
            )}
          </Text>
          <Group gap={4}>
            <Button
              size="compact-sm"
              variant="default"
              aria-expanded={isOpen}
              aria-label={t(isOpen ? 'send:foldFallback' : 'send:openFallback', { number })}
              onClick={onToggle}
            >
              {isOpen ? t('send:fold') : t('send:edit')}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => {
                const { fallbacks } = form.values;
                const isLast = number === fallbacks.length;
                form.set({ fallbacks: fallbacks.filter((_, i) => i !== at) });
                // The next one takes its place, after the last one the way to another.
                focusDrawn(`fallbacks.${isLast ? 'add' : at}`, 'nearest');
              }}
            >
              {t('send:removeFallback', { number })}
            </Button>
          </Group>
        </Group>
        {isOpen && (
          <Stack>
            <NativeSelect
              label={t('send:type')}
              required
              {...field('type')}
              onChange={(event) => setType(event.currentTarget.value)}
              data={types.map((value) => ({ value, label: t(`common:type.${value}`) }))}
            />
            <MessageParts fallback={at} />
            <TriggerFields at={at} />
          </Stack>
        )}
      </Fieldset>
    </div>
  );
}

/** Whether the account has a usable sender name. Channels without moderation accept any name. */
export function useHasSenders(types: readonly SendingType[]): boolean {
  const { session, sendings } = useSettings();
  // The sender of wapi is a phone.
  const isOpen = !types.some((type) => type !== 'wapi' && sendings.sendernamesCheck.includes(type));
  const may = useCan()('sendernames.get');
  const { data } = useQuery({
    ...findQuery(sendernameSpec, {
      limit: 200,
      order: [{ field: 'createdAt', direction: 'desc' }],
      filter: { OwnerId: session.OwnerId, moderation: ['approved'] },
    }),
    enabled: may && !isOpen,
  });
  return isOpen || !data || data.data.some((name) => name.isActive);
}
