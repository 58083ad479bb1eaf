import { tariffs as calls, type UserTariff } from '@heliograph/contract';
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { tariffSource, useAssignTariffs } from './catalogue.api.ts';

interface AssignFormProps {
  OwnerId: string;
  tariffs: z.infer<typeof UserTariff>[];
  /** Only the tariffs of the reseller are changed; those of the installation stay. */
  isReseller: boolean;
  onClose: () => void;
}

/** Which tariffs an account has, and which of them goes first. */
export function AssignForm({ OwnerId, tariffs, isReseller, onClose }: AssignFormProps) {
  const { t } = useTranslation();
  const { mutateAsync } = useAssignTariffs(OwnerId);
  const isChanged = (tariff: z.infer<typeof UserTariff>) => !isReseller || tariff.isOfReseller;
  const form = useContractForm({
    initial: {
      tariffs: tariffs.filter(isChanged).map(({ id, priority }, key) => ({
        key,
        id: id as string | null,
        priority: priority as number | null,
      })),
    },
    isEdit: true,
    schema: calls.assign.body,
    toBody: (values) => ({
      tariffs: values.tariffs.map(({ id, priority }) => ({
        id: id ?? '',
        priority: priority ?? 0,
      })),
    }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('users:assign.saved'));
      onClose();
    },
  });
  const rows = form.values.tariffs;
  const add = () => form.set({ tariffs: [...rows, { key: Date.now(), id: null, priority: 0 }] });
  return (
    <ContractForm
      form={form}
      footer={<FormFooter form={form} submit={t('users:assign.save')} onCancel={onClose} />}
    >
      <Text size="sm">{t('users:assign.text')}</Text>
      {isReseller && <Text size="sm">{t('users:assign.ofReseller')}</Text>}
      <Stack data-path="tariffs">
        {rows.map(({ key, id, priority }, at) => (
          <Group key={key} wrap="nowrap" align="flex-start" gap="xs">
            <div style={{ flex: 1, minWidth: 0 }}>
              <AsyncSelect
                {...form.field(`tariffs.${at}.id`)}
                source={tariffSource}
                value={id}
                label={t('users:assign.tariff')}
                clearable={false}
              />
            </div>
            <NumberField
              {...form.field(`tariffs.${at}.priority`)}
              value={priority}
              label={t('users:assign.priority')}
              scale={0}
              min={-1_000_000}
              w={110}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              mt={24}
              aria-label={t('users:assign.remove', { number: at + 1 })}
              onClick={() => form.set({ tariffs: rows.toSpliced(at, 1) })}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      {form.errors.tariffs && (
        <Text size="sm" c="red" role="alert">
          {form.errors.tariffs}
        </Text>
      )}
      <Group>
        <Button variant="default" size="xs" leftSection={<IconPlus size={16} />} onClick={add}>
          {t('users:assign.add')}
        </Button>
      </Group>
    </ContractForm>
  );
}
