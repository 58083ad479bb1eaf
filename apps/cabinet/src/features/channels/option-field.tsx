import type { ChannelOption } from '@heliograph/contract';
import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoundField } from '../../core/forms/form-state.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { newSecret } from './channel-options.ts';

interface OptionFieldProps {
  driver: string;
  option: ChannelOption;
  /** As the form binds it. */
  field: BoundField;
  value: string | boolean;
  /** A secret that is set, and stays when its field is left empty. */
  isKept: boolean;
}

/** Of fields for JSON, headers and samples of a carrier. */
export const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };

/** One option of a driver. Those of carriers are named in words, others as the driver has them. */
export function OptionField({ driver, option, field, value, isKept }: OptionFieldProps) {
  const { t } = useTranslation();
  const { name, kind, isRequired, default: preset, choices = [] } = option;
  const label = t(`channels:option.${name}`, { defaultValue: name });
  const shared = t(`channels:optionHint.${name}`, { defaultValue: '' });
  const path = `${driver}.${name}`;
  const description = t(`channels:optionHint.${path}`, { defaultValue: shared }) || undefined;
  if (option.isSecret)
    return <SecretField {...{ name, label, description, isRequired, isKept, field, value }} />;
  if (kind === 'boolean')
    return (
      <Checkbox
        {...field}
        value={undefined}
        label={label}
        description={description}
        checked={value === true}
      />
    );
  const common = { ...field, label, description, required: isRequired, value: String(value) };
  if (kind === 'choice') return <NativeSelect {...common} data={['', ...choices]} />;
  if (kind === 'json' || kind === 'lines')
    return (
      <Textarea
        {...common}
        autosize
        minRows={kind === 'json' ? 4 : 2}
        maxRows={18}
        styles={MONOSPACE}
        autoComplete="off"
        spellCheck={false}
      />
    );
  return (
    <TextInput
      {...common}
      type={kind === 'url' ? 'url' : 'text'}
      inputMode={kind === 'integer' ? 'numeric' : kind === 'number' ? 'decimal' : undefined}
      placeholder={preset === undefined ? undefined : String(preset)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

interface SecretFieldProps extends Pick<OptionFieldProps, 'isKept' | 'field' | 'value'> {
  name: string;
  label: string;
  description: string | undefined;
  isRequired: boolean;
}

/** A secret is never shown after it is saved; a generated one is shown until then. */
function SecretField(props: SecretFieldProps) {
  const { name, label, description, isRequired, isKept, field, value } = props;
  const { t } = useTranslation();
  // Others are given by the carrier.
  const isOurs = /secret$/i.test(name);
  const hint = name === 'secret' ? t('channels:secretHint') : description;
  const [made, setMade] = useState<string | null>(null);
  const make = () => {
    const secret = newSecret();
    setMade(secret);
    field.onChange(secret);
  };
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <PasswordInput
          {...field}
          label={label}
          description={isKept ? t('channels:secretKept') : hint}
          required={isRequired && !isKept}
          autoComplete="new-password"
          spellCheck={false}
          flex="1 1 220px"
          value={String(value)}
          onChange={(event) => {
            setMade(null);
            field.onChange(event);
          }}
        />
        {isOurs && (
          <Button variant="default" onClick={make}>
            {t('channels:newSecret')}
          </Button>
        )}
      </Group>
      {made !== null && made === value && (
        <div role="status">
          <CopyId id={made} />
          <Text size="sm" mt={4}>
            {t('channels:secretOnce')}
          </Text>
        </div>
      )}
    </Stack>
  );
}
