import {
  MAX_SEGMENT_DAYS,
  SEGMENT_EVENTS,
  type Segment,
  type SegmentRules,
} from '@heliograph/contract';
import { MAX_TAG_LENGTH } from '@heliograph/domain';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../core/errors.ts';
import { useLast } from '../../../core/use-last.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconAction } from '../../../ui/icon-action.tsx';
import { IconTrash } from '../../../ui/icons.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { contactListQuery } from '../contact-lists.api.ts';
import { conditionOf, draftOf } from './condition-drafts.ts';
import { FieldConditions } from './field-conditions.tsx';
import { useCountText } from './segment-count-meter.tsx';
import { rulesCountQuery, useSaveSegment } from './segments.api.ts';

/** A saved segment, or the conditions of a new one. */
export interface SegmentDraft extends SegmentRules {
  id?: string;
  title?: string;
}

interface SegmentDialogProps {
  /** Null closes the dialog. */
  draft: SegmentDraft | null;
  /** Told of what was saved. */
  onSaved?: (segment: Segment) => void;
  onClose: () => void;
}

export function SegmentDialog({ draft, onSaved, onClose }: SegmentDialogProps) {
  const { t } = useTranslation();
  const last = useLast(draft, !!draft);
  return (
    <Dialog
      opened={!!draft}
      onClose={onClose}
      title={
        last?.id
          ? t('contactLists:segments.edit', { title: last.title })
          : t('contactLists:segments.create')
      }
      size={600}
    >
      {last && <SegmentForm draft={last} onSaved={onSaved} onClose={onClose} />}
    </Dialog>
  );
}

/** As many as a segment takes. */
const MAX_ACTIVITIES = 4;
type Activity = SegmentRules['activity'][number];
/** What a select offers: the event, and whether it happened. */
const KINDS = SEGMENT_EVENTS.flatMap((event) =>
  [true, false].map((happened) => ({ event, happened })),
);
const kindOf = ({ event, happened }: Omit<Activity, 'days'>) => `${event} ${happened}`;

interface DraftActivity extends Omit<Activity, 'days'> {
  key: number;
  days: number | null;
}

const isWhole = ({ days }: DraftActivity): boolean =>
  days !== null && Number.isInteger(days) && days >= 1 && days <= MAX_SEGMENT_DAYS;

/** Lives as long as the dialog is open, so every opening begins anew. */
function SegmentForm({ draft, onSaved, onClose }: SegmentDialogProps & { draft: SegmentDraft }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState(draft.title ?? '');
  const [where, setWhere] = useState(draft.where);
  const [rows, setRows] = useState<DraftActivity[]>(() =>
    draft.activity.map((one, key) => ({ ...one, key })),
  );
  const [conditions, setConditions] = useState(() => (draft.where.fields ?? []).map(draftOf));
  const { ListId } = draft.where;
  const { data: list } = useQuery({ ...contactListQuery(ListId ?? ''), enabled: !!ListId });
  const { mutate, isPending } = useSaveSegment(draft.id);
  const fields = useMemo(
    () => conditions.map(conditionOf).filter((one) => one !== null),
    [conditions],
  );
  const areWhole = rows.every(isWhole) && fields.length === conditions.length;
  const rules = useMemo((): SegmentRules => {
    const { fields: _, ...others } = where;
    return {
      where: fields.length ? { ...others, fields } : others,
      activity: rows.map(({ event, happened, days }) => ({ event, happened, days: days ?? 1 })),
    };
  }, [where, fields, rows]);
  const put = (name: 'tag' | 'search', value: string) => {
    const { [name]: _, ...others } = where;
    setWhere(value.trim() ? { ...others, [name]: value } : others);
  };
  const change = (key: number, changes: Partial<DraftActivity>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)));
  const isReady = !!title.trim() && areWhole;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    mutate(
      { title: title.trim(), ...rules },
      {
        onSuccess(segment) {
          showSuccess(t('contactLists:segments.saved', { title: title.trim() }));
          onSaved?.(segment);
          onClose();
        },
      },
    );
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput
          label={t('contactLists:name')}
          value={title}
          maxLength={100}
          required
          autoComplete="off"
          data-autofocus
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        {ListId && (
          <NativeSelect
            label={t('contactLists:segments.lists')}
            value={where.ListId ?? ''}
            data={[
              { value: ListId, label: list?.title ?? '…' },
              { value: '', label: t('contactLists:segments.allLists') },
            ]}
            onChange={(event) => {
              const { ListId: _, ...others } = where;
              setWhere(event.currentTarget.value ? { ...others, ListId } : others);
            }}
          />
        )}
        <Group grow align="flex-start">
          <TextInput
            label={t('contactLists:contact.tag')}
            value={where.tag ?? ''}
            maxLength={MAX_TAG_LENGTH}
            autoComplete="off"
            onChange={(event) => put('tag', event.currentTarget.value)}
          />
          <TextInput
            label={t('contactLists:contact.search')}
            value={where.search ?? ''}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => put('search', event.currentTarget.value)}
          />
        </Group>
        <FieldConditions drafts={conditions} onChange={setConditions} />
        {rows.map((row, n) => (
          <Group key={row.key} gap="xs" wrap="nowrap" align="flex-end">
            <NativeSelect
              flex={1}
              label={t('contactLists:segments.activity', { number: n + 1 })}
              value={kindOf(row)}
              data={KINDS.map((kind) => ({
                value: kindOf(kind),
                label: kind.happened
                  ? t(`contactLists:segments.did.${kind.event}`)
                  : t(`contactLists:segments.didNot.${kind.event}`),
              }))}
              onChange={(event) => {
                const kind = KINDS.find((one) => kindOf(one) === event.currentTarget.value);
                if (kind) change(row.key, kind);
              }}
            />
            <NumberField
              w={90}
              label={t('contactLists:segments.days')}
              scale={0}
              min={1}
              max={MAX_SEGMENT_DAYS}
              value={row.days}
              onChange={(days) => change(row.key, { days })}
            />
            <IconAction
              icon={IconTrash}
              word="remove"
              label={t('contactLists:segments.removeActivity', { number: n + 1 })}
              onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
            />
          </Group>
        ))}
        {rows.length < MAX_ACTIVITIES && (
          <div>
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() =>
                setRows([
                  ...rows,
                  {
                    key: Math.max(-1, ...rows.map(({ key }) => key)) + 1,
                    event: 'replied',
                    happened: false,
                    days: 90,
                  },
                ])
              }
            >
              {t('contactLists:segments.addActivity')}
            </Button>
          </div>
        )}
        {areWhole && <RulesCount rules={rules} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!isReady}>
            {t('contactLists:save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** How many contacts the conditions find now. */
function RulesCount({ rules }: { rules: SegmentRules }) {
  const { t } = useTranslation();
  const textOf = useCountText();
  const [asked] = useDebouncedValue(rules, 300);
  const { data, error, isPlaceholderData } = useQuery({
    ...rulesCountQuery(asked),
    placeholderData: keepPreviousData,
  });
  return (
    <Text size="sm" role="status" c={isPlaceholderData || !data ? 'dimmed' : undefined}>
      {error
        ? errorText(t, error)
        : t('contactLists:segments.found', { number: data ? textOf(data) : '…' })}
    </Text>
  );
}
