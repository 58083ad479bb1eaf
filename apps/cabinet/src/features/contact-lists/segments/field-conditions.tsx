import {
  CUSTOM_FIELDS,
  MAX_ANNIVERSARY_DAYS,
  MAX_CONDITION_DAYS,
  MAX_CONDITION_NUMBER,
  MAX_CONDITION_VALUES,
  MAX_FIELD_CONDITIONS,
  type FieldTest,
} from '@heliograph/contract';
import type { TypedField } from '@heliograph/domain';
import {
  Button,
  Group,
  MultiSelect,
  NativeSelect,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconAction } from '../../../ui/icon-action.tsx';
import { IconTrash } from '../../../ui/icons.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { useFieldName, useNamedField } from '../../../ui/use-field-name.ts';
import { newDraft, TESTS, type ConditionDraft } from './condition-drafts.ts';

interface FieldConditionsProps {
  drafts: ConditionDraft[];
  onChange: (drafts: ConditionDraft[]) => void;
}

const FIELDS = ['date', ...CUSTOM_FIELDS] as const;
const DATE: TypedField = { type: 'date', values: [] };
const TEXT: TypedField = { type: 'text', values: [] };
const DECIMALS = 6;

/** Conditions on the fields of contacts; each offers the comparisons of its field's type. */
export function FieldConditions({ drafts, onChange }: FieldConditionsProps) {
  const { t } = useTranslation();
  const nameOf = useFieldName();
  const namedOf = useNamedField();
  const typeOf = (field: string): TypedField =>
    field === 'date' ? DATE : (namedOf(field) ?? TEXT);
  const change = (key: number, changes: Partial<ConditionDraft>) =>
    onChange(drafts.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  const options = FIELDS.map((value) => ({ value, label: nameOf(value) }));
  return (
    <>
      {drafts.map((draft, n) => {
        const { key, field, is } = draft;
        const type = typeOf(field);
        // A field may have got another type since its condition was saved.
        const tests = [...new Set([...TESTS[type.type], is])];
        return (
          <Stack key={key} gap="xs">
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <NativeSelect
                flex={1}
                label={t('contactLists:segments.condition.field', { number: n + 1 })}
                value={field}
                data={options}
                onChange={(event) => {
                  const next = FIELDS.find((one) => one === event.currentTarget.value)!;
                  const [first] = TESTS[typeOf(next).type];
                  change(key, newDraft(key, next, first!));
                }}
              />
              <NativeSelect
                flex={1}
                label={t('contactLists:segments.condition.test', { number: n + 1 })}
                value={is}
                data={tests.map((value) => ({
                  value,
                  label: t(`contactLists:segments.tests.${value}`),
                }))}
                onChange={(event) => change(key, { is: event.currentTarget.value as FieldTest })}
              />
              <IconAction
                icon={IconTrash}
                word="remove"
                label={t('contactLists:segments.condition.remove', { field: nameOf(field) })}
                onClick={() => onChange(drafts.filter((one) => one !== draft))}
              />
            </Group>
            <Compared
              draft={draft}
              type={type}
              number={n + 1}
              onChange={(changes) => change(key, changes)}
            />
          </Stack>
        );
      })}
      {drafts.length < MAX_FIELD_CONDITIONS && (
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              const key = Math.max(-1, ...drafts.map((one) => one.key)) + 1;
              onChange([...drafts, newDraft(key, 'date', 'anniversary')]);
            }}
          >
            {t('contactLists:segments.condition.add')}
          </Button>
        </div>
      )}
    </>
  );
}

interface ComparedProps {
  draft: ConditionDraft;
  type: TypedField;
  number: number;
  onChange: (changes: Partial<ConditionDraft>) => void;
}

/** What a field is compared with; nothing where the comparison says all. */
function Compared({ draft, type, number, onChange }: ComparedProps) {
  const { t } = useTranslation();
  const label = t('contactLists:segments.condition.value', { number });
  const bounds = { scale: DECIMALS, min: -MAX_CONDITION_NUMBER, max: MAX_CONDITION_NUMBER };
  switch (draft.is) {
    case 'equals':
    case 'begins':
      return (
        <TextInput
          label={label}
          value={draft.text}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => onChange({ text: event.currentTarget.value })}
        />
      );
    case 'oneOf':
      return <Values draft={draft} type={type} number={number} onChange={onChange} />;
    case 'greater':
    case 'less':
      return (
        <NumberField
          label={label}
          {...bounds}
          value={draft.number}
          onChange={(value) => onChange({ number: value })}
        />
      );
    case 'between':
      return (
        <Group grow>
          <NumberField
            label={t('contactLists:segments.condition.from')}
            {...bounds}
            value={draft.number}
            onChange={(value) => onChange({ number: value })}
          />
          <NumberField
            label={t('contactLists:segments.condition.to')}
            {...bounds}
            value={draft.to}
            onChange={(value) => onChange({ to: value })}
          />
        </Group>
      );
    case 'before':
    case 'after':
      return (
        <TextInput
          type="date"
          label={label}
          value={draft.day}
          onChange={(event) => onChange({ day: event.currentTarget.value })}
        />
      );
    case 'lastDays':
    case 'nextDays':
    case 'anniversaryNextDays':
      return (
        <NumberField
          label={t('contactLists:segments.days')}
          scale={0}
          min={0}
          max={draft.is === 'anniversaryNextDays' ? MAX_ANNIVERSARY_DAYS : MAX_CONDITION_DAYS}
          value={draft.days}
          onChange={(days) => onChange({ days })}
        />
      );
    default:
      return null;
  }
}

/** Yes or no, values of a choice; those of a field that is no choice any more are written. */
function Values({ draft, type, number, onChange }: ComparedProps) {
  const { t } = useTranslation();
  const label = t('contactLists:segments.condition.values', { number });
  if (type.type === 'boolean')
    return (
      <NativeSelect
        label={t('contactLists:segments.condition.value', { number })}
        value={draft.values[0] ?? ''}
        data={[
          { value: '', label: '—' },
          { value: 'true', label: t('contactLists:boolean.true') },
          { value: 'false', label: t('contactLists:boolean.false') },
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ values: value ? [value] : [] })}
      />
    );
  if (type.type === 'choice')
    return (
      <MultiSelect
        label={label}
        value={draft.values}
        data={[...new Set([...type.values, ...draft.values])]}
        onChange={(values) => onChange({ values })}
      />
    );
  return (
    <TagsInput
      label={label}
      value={draft.values}
      maxTags={MAX_CONDITION_VALUES}
      acceptValueOnBlur
      onChange={(values) => onChange({ values })}
    />
  );
}
