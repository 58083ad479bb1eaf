import {
  Alert,
  Button,
  Code,
  Group,
  Modal,
  NativeSelect,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import {
  losesCapitals,
  MEDIUMS,
  NO_UTM,
  SOURCES,
  utmErrors,
  utmLink,
  type UtmValues,
} from './utm.ts';

interface UtmDialogProps {
  onClose: () => void;
  onInsert: (link: string) => void;
}

/** Builds a link whose visits can be told apart. */
export function UtmDialog({ onClose, onInsert }: UtmDialogProps) {
  const { t } = useTranslation();
  const [values, setValues] = useState(NO_UTM);
  const [preset, setPreset] = useState<(typeof SOURCES)[number]>('custom');
  const [asked, setAsked] = useState(false);
  const errors = utmErrors(values);
  const isRight = Object.keys(errors).length === 0;
  const put = (name: keyof UtmValues, value: string) => setValues({ ...values, [name]: value });
  const field = (name: keyof UtmValues) => {
    const fault = asked || (name === 'url' && errors.url === 'domain') ? errors[name] : undefined;
    return {
      label: t(`send:utm.${name}`),
      value: values[name],
      onChange: (event: { currentTarget: { value: string } }) =>
        put(name, event.currentTarget.value),
      error: fault && t(fault === 'domain' ? 'send:utm.domain' : 'errors:rule.required'),
    };
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog stands inside the wizard's tree, though not in its document.
    event.stopPropagation();
    setAsked(true);
    if (!isRight) return;
    onInsert(utmLink(values));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('send:utm.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <TextInput {...field('url')} required data-autofocus placeholder="shop.example/sale" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NativeSelect
              label={t('send:utm.preset')}
              value={preset}
              onChange={(event) => {
                const next = event.currentTarget.value as typeof preset;
                setPreset(next);
                put('source', next === 'custom' ? '' : next);
              }}
              data={SOURCES.map((value) => ({
                value,
                label: value === 'custom' ? t('send:utm.custom') : value,
              }))}
            />
            <TextInput {...field('source')} required disabled={preset !== 'custom'} />
            <NativeSelect {...field('medium')} required data={[...MEDIUMS]} />
            <TextInput {...field('campaign')} required />
            <TextInput {...field('content')} />
            <TextInput {...field('term')} />
          </SimpleGrid>
          <div role="status">
            {isRight && (
              <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {utmLink(values)}
              </Code>
            )}
            {isRight && losesCapitals(values.url) && (
              <Alert color="yellow" mt="xs">
                {t('send:utm.capitals')}
              </Alert>
            )}
          </div>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit">{t('send:utm.insert')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
