import { SendingInput, type SendingType, type Estimate } from '@heliograph/contract';
import {
  Alert,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
  Title,
  Skeleton,
  Text,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { errorText, fieldErrors, fieldText, groupByField } from '../../core/errors.ts';
import { useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Facts } from '../../ui/facts.tsx';
import { IconAlertTriangle } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { estimateQuery, estimateText, type SendingBody } from '../estimates/estimates.api.ts';
import { NoSendernamesSection } from '../sendernames/no-sendernames-section.tsx';
import { pricedByText } from './tariffs.api.ts';

/** The height of the select, whose code is loaded after the list. */
function ChoiceToCome({ type, OwnerId }: { type: string; OwnerId?: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <TextInput label={t('sendernames:select.label')} required disabled />
      <NoSendernamesSection type={type} OwnerId={OwnerId} />
    </div>
  );
}

const SendernameSelect = later(
  async () => (await import('../sendernames/sendername-select.tsx')).SendernameSelect,
  ({ type, OwnerId }) => <ChoiceToCome type={type} OwnerId={OwnerId} />,
);

/** The price of one message to one number, by the server's estimate. */
export function PriceCalculator({ OwnerId }: { OwnerId?: string }) {
  const { t } = useTranslation();
  const settings = useSettings();
  const { data: me } = useQuery(meQuery);
  const types = pricedByText(settings);
  const [type, setType] = useState<SendingType>(types[0] ?? 'sms');
  const [sender, setSender] = useState('');
  const [phone, setPhone] = useState(me?.data.phone ?? '');
  const [text, setText] = useState(() => t('tariffs:calculator.sample'));
  const tts = type === 'voice' ? settings.tools.speech?.voice : undefined;
  const [asked] = useDebouncedValue(JSON.stringify({ type, sender, phone, text, tts }), 500);
  const body = useMemo(() => bodyOf(JSON.parse(asked), OwnerId), [asked, OwnerId]);
  const { data, error, isFetching } = useQuery({
    ...estimateQuery(body),
    placeholderData: body ? keepPreviousData : undefined,
  });
  const refused = fieldErrors(error);
  const { marked, unmarked } = groupByField(refused, (path) =>
    path === 'recipient' ? path : null,
  );
  const onPhone = fieldText(t, marked.get('recipient') ?? []);

  return (
    <Paper withBorder p="md" mb="md" component="section" aria-labelledby="calculator-title">
      <Title order={2} size="h5" mb="sm" id="calculator-title">
        {t('tariffs:calculator.title')}
      </Title>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <NativeSelect
            label={t('tariffs:calculator.type')}
            value={type}
            onChange={(event) => {
              setType(event.currentTarget.value as SendingType);
              setSender('');
            }}
            data={types.map((value) => ({ value, label: t(`common:type.${value}`) }))}
          />
          <SendernameSelect
            key={type}
            type={type}
            OwnerId={OwnerId}
            value={sender}
            onChange={setSender}
          />
          <TextInput
            label={t('tariffs:calculator.phone')}
            type="tel"
            required
            maxLength={40}
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
            error={onPhone}
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
        </SimpleGrid>
        <div aria-live="polite" aria-busy={isFetching}>
          {error && (!onPhone || unmarked.length) ? (
            <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
              {errorText(t, error, unmarked)}
            </Alert>
          ) : (
            <PriceAnswer
              estimate={body && !error ? data : undefined}
              isAsked={!!body}
              type={type}
            />
          )}
        </div>
      </Stack>
    </Paper>
  );
}

interface Draft {
  type: SendingType;
  sender: string;
  phone: string;
  text: string;
  /** Who reads the text of a call; the length of the call is estimated by the text. */
  tts?: string;
}

/** The request body; null while the form is incomplete. */
function bodyOf({ type, sender, phone, text, tts }: Draft, OwnerId?: string): SendingBody | null {
  const body = {
    type,
    recipient: phone.trim(),
    payload: { sender, ...(text && { text }), ...(tts && { tts }) },
    ...(OwnerId && { OwnerId }),
  };
  return SendingInput.safeParse(body).success ? body : null;
}

interface PriceAnswerProps {
  estimate?: Estimate;
  /** Whether the form is complete. */
  isAsked: boolean;
  type: SendingType;
}

function PriceAnswer({ estimate, isAsked, type }: PriceAnswerProps) {
  const { t } = useTranslation();
  const formats = useFormats(estimate?.currency);
  if (!isAsked) {
    return (
      <Text size="sm" c="dimmed">
        {t('tariffs:calculator.hint')}
      </Text>
    );
  }
  if (!estimate) return <Skeleton height={90} />;
  const [operator] = estimate.operators;
  const seconds = operator?.lines[0]?.multiplier;
  return (
    <Stack gap="xs">
      <Text fz={28} fw={600} className="numeric">
        {estimateText(t, formats, estimate)}
      </Text>
      {estimate.byLength && (
        <Text size="sm" c="dimmed">
          {t('common:callsAtMost')}
        </Text>
      )}
      <Facts
        facts={[
          { label: t('tariffs:calculator.type'), value: t(`common:type.${type}`) },
          {
            label: t('tariffs:calculator.operator'),
            value: operator && (operator.name ?? t('tariffs:calculator.unknown')),
          },
          {
            label: t('tariffs:calculator.segments'),
            value: type !== 'voice' && estimate.segments > 0 && formats.number(estimate.segments),
          },
          {
            label: t('tariffs:calculator.length'),
            value: type === 'voice' && seconds !== undefined && formats.seconds(seconds),
          },
        ]}
      />
    </Stack>
  );
}
