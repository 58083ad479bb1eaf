import { MAX_RECURRING_TIMES } from '@heliograph/contract';
import { REPEAT_FREQUENCIES } from '@heliograph/domain';
import { Checkbox, Group, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { weekdayName } from '../../core/clocks.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import type { FormSchema } from '../../core/forms/field-errors.ts';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { ZoneSelect } from '../../ui/zone-select.tsx';
import {
  brokenTiming,
  timingOf,
  upcoming,
  type Timing,
  type TimingValues,
} from './recurring-values.ts';

interface RecurringFormProps<B> {
  initial: TimingValues;
  schema: FormSchema | undefined;
  isEdit?: boolean;
  /** Bulks that it has sent already. */
  runs?: number;
  bodyOf: (timing: Timing) => B;
  save: (body: B) => Promise<unknown>;
  /** What its button says. */
  submit: string;
  onDone: (values: TimingValues) => void;
  onCancel: () => void;
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const DAYS = Array.from({ length: 31 }, (_, i) => String(i + 1));

/** What a recurring sending is called and when it runs, with the times at which that would be. */
export function RecurringForm<B>(props: RecurringFormProps<B>) {
  const { initial, schema, isEdit, runs = 0, bodyOf, save, submit, onDone, onCancel } = props;
  const { t, i18n } = useTranslation();
  const form = useContractForm({
    initial,
    schema,
    isEdit,
    toBody: (values: TimingValues) => bodyOf(timingOf(values)),
    check: brokenTiming,
    submit: save,
    onDone: (_, values) => onDone(values),
  });
  const { values } = form;
  const { frequency, times } = values;
  return (
    <ContractForm form={form} submit={submit} onCancel={onCancel}>
      <TextInput {...form.text('title')} label={t('recurringSendings:name')} required />
      <NativeSelect
        {...form.field('frequency')}
        label={t('recurringSendings:frequencyLabel')}
        data={REPEAT_FREQUENCIES.map((value) => ({
          value,
          label: t(`recurringSendings:frequency.${value}`),
        }))}
      />
      {frequency === 'weekly' && (
        <Checkbox.Group {...form.field('weekdays')} label={t('recurringSendings:weekdays')}>
          <Group gap="sm" mt={6}>
            {WEEKDAYS.map((day) => (
              <Checkbox key={day} value={String(day)} label={weekdayName(i18n.language, day)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {frequency === 'monthly' && (
          <NativeSelect
            {...form.field('day')}
            label={t('recurringSendings:day')}
            description={t('recurringSendings:dayHint')}
            data={DAYS}
          />
        )}
        <TextInput {...form.field('time')} type="time" label={t('recurringSendings:time')} />
        <ZoneSelect {...form.field('timeZone')} label={t('recurringSendings:timeZone')} />
        <TextInput {...form.field('from')} type="date" label={t('recurringSendings:from')} />
        <TextInput {...form.field('until')} type="date" label={t('recurringSendings:until')} />
        <NumberField
          {...form.field('times')}
          value={times}
          onChange={(next) => form.set({ times: next })}
          label={t('recurringSendings:times')}
          description={t('recurringSendings:timesHint')}
          scale={0}
          min={1}
          max={MAX_RECURRING_TIMES}
        />
      </SimpleGrid>
      <NextTimes values={values} runs={runs} />
    </ContractForm>
  );
}

/** When it would run with these values, by the clocks of its own time zone. */
function NextTimes({ values, runs }: { values: TimingValues; runs: number }) {
  const { t, i18n } = useTranslation();
  const times = upcoming(values, runs, new Date());
  if (!times) return null;
  if (!times.length)
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="status">
        {t('recurringSendings:never')}
      </Text>
    );
  const format = new Intl.DateTimeFormat(i18n.language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: values.timeZone,
  });
  return (
    <div>
      <Text size="sm" fw={500} id="next-times">
        {t('recurringSendings:nextTimes')}
      </Text>
      <ul aria-labelledby="next-times" style={{ margin: 0, paddingInlineStart: 20 }}>
        {times.map((at) => (
          <Text key={at.getTime()} component="li" size="sm" className="numeric">
            <time dateTime={at.toISOString()}>{format.format(at)}</time>
          </Text>
        ))}
      </ul>
    </div>
  );
}
