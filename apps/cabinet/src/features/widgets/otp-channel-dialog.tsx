import { otpChannels, type OtpChannel } from '@heliograph/contract';
import { FLASHCALL_DIGITS, isCodeless, OTP_CODE_DIGITS } from '@heliograph/domain';
import { Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { OtpSettingForm } from './otp-setting-form.tsx';
import {
  otpChannelQuery,
  useCreateChannel,
  useUpdateChannel,
  type ChannelDraft,
} from './widgets.api.ts';

export function OtpChannelDialog() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={otpChannelQuery}
      mayCreate={can('otp-settings.create')}
      frame={Dialog}
      size={600}
      createTitle={t('widgets:channels.createTitle')}
      title={(row) => row?.name ?? t('widgets:channels.detail')}
      failed={t('widgets:channels.detailFailed')}
    >
      {(row, onClose) => (
        <OtpChannelForm
          key={row?.id}
          row={row}
          readOnly={!!row && !can('otp-settings.update')}
          onClose={onClose}
        />
      )}
    </RowDialog>
  );
}

interface OtpChannelFormProps {
  row: OtpChannel | null;
  readOnly?: boolean;
  onClose: () => void;
}

const NUMBERS = {
  lifetime: { min: 10, max: 3600 },
  numberOfTries: { min: 1, max: 10 },
  numberOfRestart: { min: 0, max: 10 },
} as const;
type NumberName = keyof typeof NUMBERS;
const NAMES = Object.keys(NUMBERS) as NumberName[];

interface Values extends Record<NumberName, number | null> {
  name: string;
  channelType: OtpChannel['channelType'];
  length: number | null;
  beautify: boolean;
  mtsClientId: string;
}

function initialValues(row: OtpChannel | null): Values {
  const settings = row?.additionalSettings;
  return {
    name: row?.name ?? '',
    channelType: row?.channelType ?? 'sms',
    length: settings?.code.length ?? 4,
    beautify: settings?.code.beautify ?? false,
    lifetime: settings?.lifetime ?? 60,
    numberOfTries: settings?.numberOfTries ?? 3,
    numberOfRestart: settings?.numberOfRestart ?? 2,
    mtsClientId: settings?.mtsClientId ?? '',
  };
}

/** An empty number is refused as one out of range. */
const numberOf = (value: number | null) => value ?? -1;

function bodyOf(values: Values): ChannelDraft {
  const { name, channelType, length, beautify, mtsClientId } = values;
  const isPush = isCodeless(channelType);
  return {
    name: name.trim(),
    channelType,
    additionalSettings: {
      code: {
        length: isPush
          ? OTP_CODE_DIGITS.min
          : channelType === 'flashcall'
            ? FLASHCALL_DIGITS
            : numberOf(length),
        beautify: !isPush && beautify,
      },
      lifetime: numberOf(values.lifetime),
      numberOfTries: numberOf(values.numberOfTries),
      numberOfRestart: numberOf(values.numberOfRestart),
      mtsClientId: isPush ? mtsClientId.trim() || null : null,
    },
  };
}

function OtpChannelForm({ row, readOnly, onClose }: OtpChannelFormProps) {
  const { t } = useTranslation();
  const create = useCreateChannel();
  const update = useUpdateChannel(row?.id ?? '');
  const form = useContractForm({
    initial: initialValues(row),
    isEdit: !!row,
    schema: otpChannels.create.body,
    names: {
      'additionalSettings.code.length': 'length',
      'additionalSettings.lifetime': 'lifetime',
      'additionalSettings.numberOfTries': 'numberOfTries',
      'additionalSettings.numberOfRestart': 'numberOfRestart',
      'additionalSettings.mtsClientId': 'mtsClientId',
    },
    toBody: bodyOf,
    submit: ({ channelType, ...changes }) =>
      row ? update.mutateAsync(changes) : create.mutateAsync({ channelType, ...changes }),
    onDone({ name }) {
      showSuccess(t(row ? 'widgets:saved' : 'widgets:createdDone', { name }));
      onClose();
    },
  });
  const { values } = form;
  const isPush = isCodeless(values.channelType);
  const number = (name: NumberName | 'length') => {
    const { value: _, onChange: __, ...field } = form.field(name);
    const onChange = (next: number | null) => form.set({ [name]: next });
    return { ...field, scale: 0, value: values[name], onChange };
  };
  return (
    <OtpSettingForm form={form} isNew={!row} readOnly={readOnly} onClose={onClose}>
      {isPush ? (
        <TextInput
          {...form.text('mtsClientId')}
          label={t('widgets:channels.mtsClientId')}
          description={t('widgets:channels.mtsClientIdHint')}
          required
          autoComplete="off"
        />
      ) : (
        <>
          {values.channelType !== 'flashcall' && (
            <NumberField
              {...number('length')}
              label={t('widgets:channels.length')}
              description={t('widgets:channels.range', OTP_CODE_DIGITS)}
              {...OTP_CODE_DIGITS}
            />
          )}
          <Checkbox
            {...form.field('beautify', { type: 'checkbox' })}
            label={t('widgets:channels.beautify')}
            description={t('widgets:channels.beautifyHint')}
          />
        </>
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {NAMES.map((name) => (
          <NumberField
            key={name}
            {...number(name)}
            {...NUMBERS[name]}
            label={t(`widgets:channels.${name}`)}
            description={t('widgets:channels.range', NUMBERS[name])}
          />
        ))}
      </SimpleGrid>
    </OtpSettingForm>
  );
}
