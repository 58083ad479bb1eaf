import type { ChannelLimit, ChannelLive } from '@heliograph/contract';
import { MAX_MESSAGE_LIMITS } from '@heliograph/domain';
import { Button, Fieldset, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { FieldGrid } from '../../ui/field-grid.tsx';
import { useTranslation } from 'react-i18next';
import { useOperatorNames } from '../../core/operator-names.ts';
import { useFormats } from '../../core/use-formats.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';

const CONDITIONS = ['sender', 'country', 'mccmnc'] as const;
const NUMBERS = ['rate', 'burst', 'perDay'] as const;

/** A limit as it is typed. */
export type LimitLine = { key: number } & Record<
  (typeof CONDITIONS)[number] | (typeof NUMBERS)[number],
  string
>;

/** An empty field is no limit. */
export const shownLimit = (limit: number | null | undefined) =>
  limit == null ? '' : String(limit);
export const limitOf = (text: string) =>
  text.trim() ? Number(text.trim().replace(',', '.')) : null;

export const linesOf = (limits: readonly ChannelLimit[]): LimitLine[] =>
  limits.map(({ sender, country, mccmnc, rate, burst, perDay }, key) => ({
    key,
    sender: sender ?? '',
    country: country ?? '',
    mccmnc: mccmnc ?? '',
    rate: shownLimit(rate),
    burst: shownLimit(burst),
    perDay: shownLimit(perDay),
  }));

export const limitsOf = (lines: readonly LimitLine[]): ChannelLimit[] =>
  lines.map(({ sender, country, mccmnc, rate, burst, perDay }) => ({
    sender: sender.trim() || null,
    country: country.trim().toUpperCase() || null,
    mccmnc: mccmnc.trim() || null,
    rate: limitOf(rate),
    burst: limitOf(burst),
    perDay: limitOf(perDay),
  }));

interface LimitFieldsProps {
  lines: LimitLine[];
  onChange: (lines: LimitLine[]) => void;
  field: (path: string) => object;
}

/** Limits of some sender names and destinations of a channel. */
export function LimitFields({ lines, onChange, field }: LimitFieldsProps) {
  const { t } = useTranslation();
  const line = (one: LimitLine, i: number) => {
    const input = (name: (typeof CONDITIONS)[number] | (typeof NUMBERS)[number], label: string) => (
      <TextInput
        key={name}
        {...field(`limits.${i}.${name}`)}
        label={label}
        inputMode={NUMBERS.some((number) => number === name) ? 'decimal' : undefined}
        maxLength={name === 'country' ? 2 : undefined}
        autoComplete="off"
        spellCheck={false}
      />
    );
    return (
      <Fieldset key={one.key} legend={t('channels:limitNumber', { number: i + 1 })}>
        <FieldGrid cols={3}>
          {CONDITIONS.map((name) => input(name, t(`channels:limitOf.${name}`)))}
          {NUMBERS.map((name) => input(name, t(`channels:limit.${name}`)))}
        </FieldGrid>
        <Group justify="flex-end" mt="xs">
          <IconAction
            icon={IconTrash}
            label={t('channels:removeLimit', { number: i + 1 })}
            onClick={() => onChange(lines.filter((_, at) => at !== i))}
          />
        </Group>
      </Fieldset>
    );
  };
  return (
    <Fieldset legend={t('channels:limitsOfMessages')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('channels:limitsOfMessagesHint')}
      </Text>
      <Stack gap="sm">
        {lines.map(line)}
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={lines.length >= MAX_MESSAGE_LIMITS}
            onClick={() => {
              const key = Math.max(-1, ...lines.map((one) => one.key)) + 1;
              const empty = {
                sender: '',
                country: '',
                mccmnc: '',
                rate: '',
                burst: '',
                perDay: '',
              };
              onChange([...lines, { key, ...empty }]);
            }}
          >
            {t('channels:addLimit')}
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}

/** What each limit allows now, and what waits for it. */
export function LimitsNow({ limits }: Pick<ChannelLive, 'limits'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const nameOf = useOperatorNames(limits.flatMap(({ mccmnc }) => mccmnc ?? []));
  if (!limits.length) return null;
  const conditions = ({ sender, country, mccmnc }: ChannelLimit) =>
    [sender, country && formats.region(country), mccmnc && nameOf(mccmnc)]
      .filter(Boolean)
      .join(' · ');
  const headings = [
    t('channels:live.perSecond'),
    t('channels:live.allowedNow'),
    t('channels:live.usedToday'),
    t('channels:live.waitingForLimit'),
  ];
  const ofDay = ({ perDay, usedToday }: ChannelLive['limits'][number]) =>
    perDay === null
      ? formats.number(usedToday)
      : t('channels:live.rateOf', {
          now: formats.number(usedToday),
          allowed: formats.number(perDay),
        });
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table>
        <caption className="visually-hidden">{t('channels:limitsOfMessages')}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('channels:live.limit')}</Table.Th>
            {headings.map((heading) => (
              <Table.Th key={heading} scope="col" ta="end">
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {limits.map((limit) => (
            <Table.Tr key={JSON.stringify([limit.sender, limit.country, limit.mccmnc])}>
              <Table.Td>{conditions(limit)}</Table.Td>
              {[
                limit.rate === null ? '–' : formats.number(limit.rate),
                formats.number(limit.allowedNow),
                ofDay(limit),
                formats.number(limit.waiting),
              ].map((value, i) => (
                <Table.Td key={i} ta="end" className="numeric">
                  {value}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
