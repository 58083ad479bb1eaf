import { isCountry, parseQuietItem } from '@heliograph/domain';
import {
  ActionIcon,
  Button,
  Group,
  Input,
  Select,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clockOf } from '../../core/clocks.ts';
import { useFormats } from '../../core/use-formats.ts';
import { IconPlus, IconTrash } from '../../ui/icons.ts';

interface CountryRow {
  key: number;
  country: string | null;
  from: string;
  until: string;
  /** Days as typed, separated by commas or lines. */
  holidays: string;
}

export interface QuietCountriesProps {
  value: readonly string[];
  onChange: (items: string[]) => void;
  label: string;
  description?: string;
  error?: string | null;
  disabled: boolean;
}

/** Quiet hours of countries: one row for each, with its window and its holidays. */
export function QuietCountriesField({ value, onChange, ...field }: QuietCountriesProps) {
  const { t } = useTranslation();
  const { disabled } = field;
  const countries = useCountries();
  const [rows, setRows] = useState(() => rowsOf(value));
  const change = (next: CountryRow[]) => {
    setRows(next);
    onChange(next.flatMap(itemsOf));
  };
  const put = (at: number, part: Partial<CountryRow>) =>
    change(rows.with(at, { ...rows[at]!, ...part }));
  return (
    <Input.Wrapper
      {...field}
      labelElement="div"
      style={{ gridColumn: '1 / -1' }}
      data-path="COUNTRY_QUIET_HOURS"
    >
      <Stack gap="md" mt="xs">
        {rows.map(({ key, country, from, until, holidays }, at) => (
          <Group key={key} align="flex-start" gap="xs">
            <Select
              label={t('installationSettings:quiet.country')}
              data={countries}
              value={country}
              onChange={(next) => put(at, { country: next })}
              searchable
              disabled={disabled}
              w={200}
            />
            <TextInput
              type="time"
              label={t('installationSettings:quiet.from')}
              value={from}
              onChange={(event) => put(at, { from: event.currentTarget.value })}
              disabled={disabled}
              w={135}
            />
            <TextInput
              type="time"
              label={t('installationSettings:quiet.until')}
              value={until}
              onChange={(event) => put(at, { until: event.currentTarget.value })}
              disabled={disabled}
              w={135}
            />
            <Textarea
              label={t('installationSettings:quiet.holidays')}
              placeholder="2026-12-25, 2026-12-26"
              value={holidays}
              onChange={(event) => put(at, { holidays: event.currentTarget.value })}
              disabled={disabled}
              autosize
              minRows={1}
              maxRows={6}
              style={{ flex: 1, minWidth: 200 }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              mt={24}
              disabled={disabled}
              aria-label={t('installationSettings:quiet.remove', { number: at + 1 })}
              onClick={() => change(rows.toSpliced(at, 1))}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            disabled={disabled}
            leftSection={<IconPlus size={16} />}
            onClick={() =>
              setRows([
                ...rows,
                { key: Date.now(), country: null, from: '21:00', until: '09:00', holidays: '' },
              ])
            }
          >
            {t('installationSettings:quiet.add')}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** All countries by their names. */
function useCountries() {
  const { region, locale } = useFormats();
  return useMemo(
    () =>
      LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
        .filter(isCountry)
        .map((value) => ({ value, label: region(value) }))
        .toSorted((a, b) => a.label.localeCompare(b.label, locale)),
    [region, locale],
  );
}

function rowsOf(items: readonly string[]): CountryRow[] {
  const rows = new Map<string, CountryRow>();
  for (const item of items) {
    const parsed = parseQuietItem(item);
    if (!parsed) continue;
    const { country, window, holiday } = parsed;
    const row = rows.get(country) ?? { key: rows.size, country, from: '', until: '', holidays: '' };
    rows.set(country, row);
    if (window) Object.assign(row, { from: clockOf(window.from), until: clockOf(window.until) });
    if (holiday) row.holidays += (row.holidays && ', ') + holiday;
  }
  return [...rows.values()];
}

/** What is not complete is an item that the schema refuses. */
function itemsOf({ country, from, until, holidays }: CountryRow): string[] {
  const code = country ?? '??';
  const days = holidays.split(/[\s,;]+/).filter(Boolean);
  return [
    ...(from || until ? [`${code} ${from}-${until}`] : []),
    ...days.map((day) => `${code} ${day}`),
  ];
}
