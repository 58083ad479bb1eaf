import {
  AUTOMATION_TYPES,
  automations,
  CUSTOM_FIELDS,
  contactLists,
  MAX_AUTOMATION_STEPS,
  MAX_SILENCE_DAYS,
  segments,
  templates,
  type Automation,
  type AutomationStepCount,
  type ContactList,
  type Segment,
  type Template,
} from '@heliograph/contract';
import { INBOUND_MODES, MAX_TAG_LENGTH, MAX_TAGS, WAIT_UNITS } from '@heliograph/domain';
import {
  Fieldset,
  Group,
  Menu,
  Button,
  NativeSelect,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan, useSettings } from '../../core/settings.ts';
import { timeZone } from '../../core/time-zone.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import type { OptionSource } from '../../ui/async-options.ts';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { SortableRows } from '../../ui/sortable-rows.tsx';
import { useFieldName } from '../../ui/use-field-name.ts';
import { VariableArea, VariableButton, type VariableAreaHandle } from '../../ui/variable-area.tsx';
import { ZoneSelect } from '../../ui/zone-select.tsx';
import { SendernameSelect } from '../sendernames/sendername-select.tsx';
import {
  bodyOf,
  initialValues,
  NAMES,
  newStep,
  type AutomationValues,
  type StepValues,
} from './automation-values.ts';
import {
  automationQuery,
  countsQuery,
  useCreateAutomation,
  useUpdateAutomation,
} from './automations.api.ts';
import { Reason } from './people-dialog.tsx';

const SegmentDialog = later(
  async () => (await import('../contact-lists/segments/segment-dialog.tsx')).SegmentDialog,
);

const TRIGGERS = ['listed', 'segment', 'date', 'silence', 'keyword'] as const;
const STEPS = ['message', 'template', 'wait', 'tag', 'stop'] as const;
const MODES = INBOUND_MODES.filter((mode) => mode !== 'any');

/** An automation to read and change, with what each step has done; a new one is a draft. */
export function AutomationDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={automationQuery}
      mayCreate={can('automations.create')}
      size={800}
      createTitle={t('automations:create')}
      title={(row) => row?.title ?? t('automations:detail')}
      failed={t('automations:detailFailed')}
    >
      {(row, onClose) => (
        <AutomationForm
          key={row?.id}
          row={row}
          readOnly={!!row && !can('automations.update')}
          onClose={onClose}
        />
      )}
    </RowDialog>
  );
}

const NEW_SEGMENT = { where: {}, activity: [] };

/** A step that was added is where one goes on. */
const focusFirst = (step: HTMLElement | null) =>
  step?.querySelector<HTMLElement>('input, select, button')?.focus();

interface AutomationFormProps {
  row: Automation | null;
  readOnly?: boolean;
  onClose: () => void;
}

function AutomationForm({ row, readOnly, onClose }: AutomationFormProps) {
  const { t } = useTranslation();
  const { session } = useSettings();
  const OwnerId = row?.OwnerId ?? session.OwnerId;
  const create = useCreateAutomation();
  const update = useUpdateAutomation(row?.id ?? '');
  const { data: counts } = useQuery({ ...countsQuery(row?.id ?? ''), enabled: !!row?.startedAt });
  const form = useContractForm({
    initial: initialValues(row, timeZone()),
    schema: automations.create.body,
    names: NAMES,
    isEdit: !!row,
    toBody: bodyOf,
    submit: (body) => (row ? update.mutateAsync(body) : create.mutateAsync(body)),
    onDone(_, { title }) {
      showSuccess(t(row ? 'automations:saved' : 'automations:drafted', { title: title.trim() }));
      onClose();
    },
  });
  const { steps } = form.values;
  const setSteps = (next: StepValues[]) => form.set({ steps: next });
  const [added, setAdded] = useState<number>();
  const [isNewSegment, setNewSegment] = useState(false);
  const add = (kind: StepValues['do']) => {
    const key = Math.max(-1, ...steps.map((step) => step.key)) + 1;
    setAdded(key);
    setSteps([...steps, newStep(key, kind)]);
  };
  const main = (
    <ContractForm
      form={form}
      readOnly={readOnly}
      footer={
        <FormFooter
          form={form}
          submit={t(row ? 'automations:save' : 'automations:createSubmit')}
          onCancel={onClose}
        />
      }
    >
      <TextInput
        {...form.text('title')}
        label={t('automations:name')}
        required
        autoComplete="off"
        data-autofocus
      />
      <Fieldset legend={t('automations:when')}>
        <Trigger form={form} OwnerId={OwnerId} onNewSegment={() => setNewSegment(true)} />
      </Fieldset>
      <SortableRows
        rows={steps}
        keyOf={({ key }) => key}
        nameOf={(_, i) => t('automations:step', { number: i + 1 })}
        onChange={setSteps}
      >
        {(step, i, handle) => (
          <Fieldset
            ref={step.key === added ? focusFirst : undefined}
            legend={t('automations:numbered', {
              number: i + 1,
              what: t(`automations:do.${step.do}`),
            })}
          >
            <Stack gap="sm">
              <StepFields
                form={form}
                step={step}
                i={i}
                OwnerId={OwnerId}
                change={(changes) => setSteps(steps.with(i, { ...step, ...changes }))}
              />
              <Group justify="space-between" gap="xs" wrap="nowrap">
                <Done count={counts?.steps.find(({ id }) => id === step.id)} />
                {!readOnly && (
                  <Group gap={4} wrap="nowrap">
                    {steps.length > 1 && handle}
                    {steps.length > 1 && (
                      <IconAction
                        icon={IconTrash}
                        label={t('automations:removeStep', { number: i + 1 })}
                        onClick={() => setSteps(steps.filter((_, at) => at !== i))}
                      />
                    )}
                  </Group>
                )}
              </Group>
            </Stack>
          </Fieldset>
        )}
      </SortableRows>
      {!readOnly && <AddStep disabled={steps.length >= MAX_AUTOMATION_STEPS} onAdd={add} />}
      <ZoneSelect {...form.field('timeZone')} label={t('automations:timeZone')} />
      <Text size="xs" c="dimmed">
        {t('automations:hint')}
      </Text>
    </ContractForm>
  );
  return (
    <>
      {main}
      <SegmentDialog
        draft={isNewSegment ? NEW_SEGMENT : null}
        onSaved={({ id }) => form.set({ SegmentId: id })}
        onClose={() => setNewSegment(false)}
      />
    </>
  );
}

function AddStep({
  disabled,
  onAdd,
}: {
  disabled: boolean;
  onAdd: (kind: StepValues['do']) => void;
}) {
  const { t } = useTranslation();
  return (
    <div>
      <Menu withinPortal={false} returnFocus={false}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={disabled}
          >
            {t('automations:addStep')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {STEPS.map((kind) => (
            <Menu.Item key={kind} onClick={() => onAdd(kind)}>
              {t(`automations:do.${kind}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** What a step has done so far, and for how many it had no effect. */
function Done({ count }: { count: AutomationStepCount | undefined }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  if (!count) return <span />;
  const parts: ReactNode[] = [
    t('automations:count.taken', { number: number(count.taken) }),
    ...(count.waiting ? [t('automations:count.waiting', { number: number(count.waiting) })] : []),
  ];
  return (
    <div>
      <Text size="xs" c="dimmed" className="numeric">
        {parts.join(' · ')}
      </Text>
      {Object.entries(count.held).map(([code, held]) => (
        <Text key={code} size="xs" className="numeric">
          {t('automations:count.held', { number: number(held) })} <Reason code={code} />
        </Text>
      ))}
    </div>
  );
}

type Form = ReturnType<typeof useContractForm<AutomationValues>>;

interface TriggerProps {
  form: Form;
  OwnerId: string;
  onNewSegment: () => void;
}

function Trigger({ form, OwnerId, onNewSegment }: TriggerProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { session } = useSettings();
  const fieldName = useFieldName(OwnerId);
  const { values } = form;
  const { when } = values;
  return (
    <Stack gap="sm">
      <NativeSelect
        {...form.field('when')}
        onChange={(event) => {
          form.field('when').onChange(event);
          form.clearErrors(...Object.values(NAMES));
        }}
        label={t('automations:trigger.label')}
        description={t(`automations:triggerHint.${when}`)}
        data={TRIGGERS.map((value) => ({ value, label: t(`automations:trigger.${value}`) }))}
      />
      {when === 'date' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NativeSelect
            {...form.field('field')}
            label={t('automations:field')}
            data={(['date', ...CUSTOM_FIELDS] as const).map((value) => ({
              value,
              label: fieldName(value),
            }))}
          />
          <TextInput {...form.field('time')} type="time" label={t('automations:time')} required />
        </SimpleGrid>
      )}
      {(when === 'listed' || when === 'date') && (
        <AsyncSelect
          {...form.field('ListId')}
          source={listSource(OwnerId)}
          value={values.ListId}
          label={t('automations:list')}
          placeholder={when === 'date' ? t('automations:allLists') : undefined}
          empty={t('automations:noLists')}
          required={when === 'listed'}
          clearable={when === 'date'}
        />
      )}
      {when === 'segment' && (
        <div>
          <AsyncSelect
            {...form.field('SegmentId')}
            source={segmentSource(OwnerId)}
            value={values.SegmentId}
            label={t('automations:segment')}
            empty={t('automations:noSegments')}
            required
          />
          {can('contactLists.create') && OwnerId === session.OwnerId && (
            <Button variant="subtle" size="compact-sm" mt={4} onClick={onNewSegment}>
              {t('contactLists:segments.create')}
            </Button>
          )}
        </div>
      )}
      {when === 'silence' && (
        <NumberField
          {...form.field('days')}
          value={values.days}
          onChange={(days) => form.set({ days })}
          label={t('automations:days')}
          required
          scale={0}
          min={1}
          max={MAX_SILENCE_DAYS}
        />
      )}
      {when === 'keyword' && (
        <>
          <NativeSelect
            {...form.field('mode')}
            label={t('automations:mode.label')}
            data={MODES.map((value) => ({ value, label: t(`automations:mode.${value}`) }))}
          />
          <TagsInput
            {...form.field('keywords')}
            label={t('automations:keywords')}
            description={t('automations:keywordsHint')}
            required
            splitChars={[',', ';', '\n']}
          />
        </>
      )}
    </Stack>
  );
}

interface StepFieldsProps {
  form: Form;
  step: StepValues;
  i: number;
  OwnerId: string;
  change: (changes: Partial<StepValues>) => void;
}

function StepFields({ form, step, i, OwnerId, change }: StepFieldsProps) {
  const { t } = useTranslation();
  const area = useRef<VariableAreaHandle>(null);
  const path = (name: string) => `steps.${i}.${name}`;
  switch (step.do) {
    case 'message': {
      const { value: _, onChange: __, ...text } = form.field(path('text'));
      return (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NativeSelect
              {...form.field(path('type'))}
              label={t('automations:type')}
              data={AUTOMATION_TYPES.map((value) => ({ value, label: t(`common:type.${value}`) }))}
            />
            <SendernameSelect
              {...form.field(path('sender'))}
              type={step.type}
              OwnerId={OwnerId}
              onChange={(sender) => change({ sender })}
            />
          </SimpleGrid>
          <VariableArea
            {...text}
            ref={area}
            value={step.text}
            onType={(next) => change({ text: next })}
            onPut={(next) => change({ text: next })}
            label={t('automations:text')}
            required
            autosize
            minRows={2}
          />
          <div>
            <VariableButton onClick={() => area.current?.openMenu()} />
          </div>
        </>
      );
    }
    case 'template':
      return (
        <AsyncSelect
          {...form.field(path('TemplateId'))}
          source={templateSource(OwnerId)}
          value={step.TemplateId}
          label={t('automations:template')}
          description={t('automations:templateHint')}
          empty={t('automations:noTemplates')}
          required
        />
      );
    case 'wait':
      return (
        <SimpleGrid cols={2}>
          <NumberField
            {...form.field(path('amount'))}
            value={step.amount}
            onChange={(amount) => change({ amount })}
            label={t('automations:amount')}
            required
            scale={0}
            min={1}
          />
          <NativeSelect
            {...form.field(path('unit'))}
            label={t('automations:unit.label')}
            data={WAIT_UNITS.map((value) => ({ value, label: t(`automations:unit.${value}`) }))}
          />
        </SimpleGrid>
      );
    case 'tag':
      return (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TagsInput
            {...form.field(path('add'))}
            label={t('automations:add')}
            maxTags={MAX_TAGS}
            maxLength={MAX_TAG_LENGTH}
            splitChars={[',', ';']}
          />
          <TagsInput
            {...form.field(path('remove'))}
            label={t('automations:removeTags')}
            maxTags={MAX_TAGS}
            maxLength={MAX_TAG_LENGTH}
            splitChars={[',', ';']}
          />
        </SimpleGrid>
      );
    case 'stop':
      return <Text size="sm">{t('automations:stopHint')}</Text>;
  }
}

const byTitle = [{ field: 'title' as const, direction: 'asc' as const }];

const listSource = (OwnerId: string): OptionSource<ContactList> => ({
  noun: 'contactLists',
  params: ['automations', OwnerId],
  find: ({ limit, search }, signal) =>
    api(contactLists.find, {
      query: { limit, search, order: byTitle, filter: { OwnerId, type: ['regular'] } },
      signal,
    }),
  get: (id, signal) => api(contactLists.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, title }) => ({ value: id, label: title }),
});

const segmentSource = (OwnerId: string): OptionSource<Segment> => ({
  noun: 'segments',
  params: ['automations', OwnerId],
  find: ({ limit, search }, signal) =>
    api(segments.find, { query: { limit, search, order: byTitle, filter: { OwnerId } }, signal }),
  get: (id, signal) => api(segments.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, title }) => ({ value: id, label: title }),
});

const templateSource = (OwnerId: string): OptionSource<Pick<Template, 'id' | 'title'>> => ({
  noun: 'templates',
  params: ['automations', OwnerId],
  find: ({ limit, search }, signal) =>
    api(templates.find, {
      query: {
        limit,
        search,
        order: [{ field: 'createdAt', direction: 'desc' }],
        filter: { OwnerId, isActive: true, moderation: ['pending', 'approved'] },
      },
      signal,
    }),
  get: (id, signal) => api(templates.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, title }) => ({ value: id, label: title }),
});
