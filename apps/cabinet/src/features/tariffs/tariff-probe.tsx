import {
  TariffProbeInput,
  type SendingType,
  type TariffProbe as Probe,
  type VolumeStep,
} from '@heliograph/contract';
import {
  Alert,
  List,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { isSendingType, SENDING_TYPES } from '@heliograph/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors } from '../../core/errors.ts';
import { Facts } from '../../ui/facts.tsx';
import { estimateText } from '../estimates/estimates.api.ts';
import { probeQuery, type ProbeBody, type Rule } from './catalogue.api.ts';
import { later } from '../../ui/later.tsx';
import { ruleSentence } from './rule-sentence.ts';
import { stepSentence } from './step-sentence.ts';
import { useRuleWords } from './use-rule-words.ts';

const NumberField = later(async () => (await import('../../ui/number-field.tsx')).NumberField);

interface TariffProbeProps {
  source: string;
  rules: Rule[];
  volumeSteps: VolumeStep[];
}

/** What a message costs by these rules, saved or not, and which of them made the price. */
export function TariffProbe({ source, rules, volumeSteps }: TariffProbeProps) {
  const { t } = useTranslation();
  const [type, setType] = useState<SendingType>(isSendingType(source) ? source : 'sms');
  const [sender, setSender] = useState('');
  const [recipient, setRecipient] = useState('');
  const [text, setText] = useState(() => t('tariffs:calculator.sample'));
  const [volume, setVolume] = useState<number | null>(null);
  const draft = { source, rules, ...(volumeSteps.length && { volumeSteps }) };
  const message = { type, sender, recipient, text, ...(volume && { volume }) };
  const [asked] = useDebouncedValue(JSON.stringify({ ...message, draft }), 500);
  const body = useMemo(() => {
    const parsed = JSON.parse(asked) as ProbeBody;
    return TariffProbeInput.safeParse(parsed).success ? parsed : null;
  }, [asked]);
  const { data, error, isFetching } = useQuery({
    ...probeQuery(body),
    placeholderData: body ? keepPreviousData : undefined,
  });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="tariff-probe">
      <Title order={2} size="h5" mb={4} id="tariff-probe">
        {t('tariffCatalogue:probe.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('tariffCatalogue:probe.text')}
      </Text>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <NativeSelect
            label={t('tariffs:calculator.type')}
            value={type}
            onChange={(event) => setType(event.currentTarget.value as SendingType)}
            data={SENDING_TYPES.map((value) => ({ value, label: t(`common:type.${value}`) }))}
          />
          <TextInput
            label={t('tariffCatalogue:probe.sender')}
            value={sender}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => setSender(event.currentTarget.value)}
          />
        </SimpleGrid>
        <TextInput
          label={t('tariffs:calculator.phone')}
          type="tel"
          required
          maxLength={40}
          value={recipient}
          onChange={(event) => setRecipient(event.currentTarget.value)}
        />
        <Textarea
          label={t('tariffs:calculator.text')}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={2000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {volumeSteps.length > 0 && (
          <NumberField
            label={t('tariffCatalogue:probe.volume')}
            value={volume}
            onChange={setVolume}
            scale={0}
            min={0}
          />
        )}
        <div aria-live="polite" aria-busy={isFetching}>
          {error ? (
            <Alert color="red">{errorText(t, error, fieldErrors(error))}</Alert>
          ) : body && data ? (
            <ProbeAnswer probe={data} type={data.type} source={source} />
          ) : (
            <Text size="sm" c="dimmed">
              {t('tariffCatalogue:probe.hint')}
            </Text>
          )}
        </div>
      </Stack>
    </Paper>
  );
}

interface ProbeAnswerProps {
  probe: Probe;
  type: SendingType;
  source: string;
}

function ProbeAnswer({ probe, type, source }: ProbeAnswerProps) {
  const { t } = useTranslation();
  const words = useRuleWords(probe.rules, probe.currency);
  const { formats } = words;
  const { amount, multiplier, operator, mccmnc, group, rules, volume } = probe;
  // The rule that sets the price may be for other messages, too.
  const byLength = type === 'voice' && !!rules[0]?.byLength;
  return (
    <Stack gap="xs">
      <Text fz={28} fw={600} className="numeric">
        {amount === null
          ? t('tariffCatalogue:probe.none')
          : estimateText(t, formats, { amount, byLength })}
      </Text>
      <Facts
        facts={[
          { label: t('tariffCatalogue:probe.units'), value: formats.number(multiplier) },
          {
            label: t('tariffs:calculator.operator'),
            value: [operator ?? t('tariffs:calculator.unknown'), mccmnc].filter(Boolean).join(', '),
          },
          { label: t('tariffCatalogue:tags.group'), value: t(`common:group.${group}`) },
          {
            label: t('tariffCatalogue:probe.step'),
            value:
              volume &&
              (volume.step ? stepSentence(volume.step, words) : t('tariffs:steps.before')),
          },
        ]}
      />
      {rules.length > 0 && (
        <List type="ordered" size="sm" aria-label={t('tariffCatalogue:probe.rules')}>
          {rules.map((rule) => (
            <List.Item key={rule.id}>{ruleSentence(rule, source, words)}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
