import { SIGNING_BASES } from '@heliograph/domain';
import { Autocomplete, Button, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../core/settings.ts';
import { proposeGenitive, type SignerField } from './genitive.ts';
import { useCleanName } from './requisites.api.ts';
import type { RequisiteFormState } from './use-requisite-form.ts';

/** Positions as they are written in Russian documents. */
const POSITIONS = [
  'Генеральный директор',
  'Директор',
  'Исполнительный директор',
  'Президент',
  'Председатель правления',
  'Управляющий',
  'Индивидуальный предприниматель',
].map((nominative) => ({
  nominative,
  genitive: proposeGenitive('position', { nominative: '', genitive: '' }, nominative).genitive,
}));
const OPTIONS = { position: POSITIONS, basis: SIGNING_BASES };
const CASES = ['nominative', 'genitive'] as const;

/** Who signs: a card in the nominative, and one in the genitive that is proposed and may be corrected. */
export function SignerFields({ form }: { form: RequisiteFormState }) {
  const { t } = useTranslation();
  const { tools } = useSettings();
  const clean = useCleanName();
  const { signer } = form.values;
  const set = (field: SignerField, value: { nominative: string; genitive: string }) => {
    form.field(`signer.${field}.nominative`).onChange(value.nominative);
    form.field(`signer.${field}.genitive`).onChange(value.genitive);
  };
  const bind = (field: SignerField, name: (typeof CASES)[number]) => {
    const bound = form.field(`signer.${field}.${name}`);
    if (name === 'genitive') return bound;
    return {
      ...bound,
      onChange: (input: string | { currentTarget: HTMLInputElement }) =>
        set(
          field,
          proposeGenitive(
            field,
            signer[field],
            typeof input === 'string' ? input : input.currentTarget.value,
          ),
        ),
    };
  };
  const correct = () =>
    clean.mutate(signer.fullName.nominative, {
      onSuccess({ lastName, firstName, middleName, genitive }) {
        const nominative = [lastName, firstName, middleName].filter(Boolean).join(' ');
        set('fullName', { nominative, genitive });
      },
    });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {CASES.map((name) => (
        <Paper key={name} withBorder p="sm" role="group" aria-label={t(`requisites:case.${name}`)}>
          <Stack gap="sm">
            <Text size="sm" fw={600}>
              {t(`requisites:case.${name}`)}
            </Text>
            <TextInput
              {...bind('fullName', name)}
              label={t('requisites:signer.fullName')}
              required
              maxLength={200}
            />
            {name === 'nominative' && tools.lookups && (
              <Button
                size="compact-sm"
                variant="default"
                loading={clean.isPending}
                disabled={!signer.fullName.nominative.trim()}
                onClick={correct}
                style={{ alignSelf: 'start' }}
              >
                {t('requisites:cleanName')}
              </Button>
            )}
            {(['position', 'basis'] as const).map((field) => (
              <Autocomplete
                key={field}
                {...bind(field, name)}
                label={t(`requisites:signer.${field}`)}
                data={OPTIONS[field].map((option) => option[name])}
                required
                maxLength={field === 'basis' ? 300 : 200}
              />
            ))}
          </Stack>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
