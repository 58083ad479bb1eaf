import { MAX_FALLBACKS } from '@heliograph/domain';
import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  Input,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconPlus, IconTrash } from '../../../ui/icons.ts';
import { useFieldError, useSendForm } from './form-context.ts';
import { MessageFields } from './message-fields.tsx';
import { emptyFallback } from './send-values.ts';
import { useFormTypes } from './use-form-types.ts';

/** Other channels, one after another, for those whom the message does not reach. */
export function FallbackFields() {
  const { t } = useTranslation();
  const form = useSendForm();
  const [firstType] = useFormTypes();
  const { fallbacks } = form.values;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('send:fallbacksHint')}
      </Text>
      {fallbacks.map((_, index) => (
        <Fieldset key={index} legend={t('send:fallback', { number: index + 1 })}>
          <Stack>
            <MessageFields prefix={`fallbacks.${index}.`} />
            <Triggers index={index} />
            <Group justify="flex-end">
              <Button
                variant="subtle"
                color="red"
                size="xs"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => form.removeListItem('fallbacks', index)}
              >
                {t('send:removeFallback', { number: index + 1 })}
              </Button>
            </Group>
          </Stack>
        </Fieldset>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={fallbacks.length >= MAX_FALLBACKS || !firstType}
          onClick={() => firstType && form.insertListItem('fallbacks', emptyFallback(firstType))}
        >
          {t('send:addFallback')}
        </Button>
      </div>
    </Stack>
  );
}

function Triggers({ index }: { index: number }) {
  const { t } = useTranslation();
  const form = useSendForm();
  const errorOf = useFieldError();
  const path = `fallbacks.${index}` as const;
  const { onFailed, timeout, reply } = form.values.fallbacks[index]!;
  const error = errorOf(`${path}.trigger`);
  const change = (name: string, value: unknown) => {
    form.clearFieldError(`${path}.trigger`);
    form.setFieldValue(`${path}.${name}`, value as never);
  };
  return (
    <Input.Wrapper label={t('send:triggers')} error={error} labelElement="div">
      <Stack gap="sm" mt="xs">
        <Checkbox
          label={t('send:onFailed')}
          checked={onFailed}
          onChange={(event) => change('onFailed', event.currentTarget.checked)}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label={t('send:timeout')}
            min={0}
            max={86_400}
            allowDecimal={false}
            allowNegative={false}
            value={timeout}
            onChange={(value) => change('timeout', value === '' ? '' : Number(value))}
          />
          <TextInput
            label={t('send:reply')}
            maxLength={200}
            value={reply}
            onChange={(event) => change('reply', event.currentTarget.value)}
          />
        </SimpleGrid>
      </Stack>
    </Input.Wrapper>
  );
}
