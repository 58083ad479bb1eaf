import {
  MAX_TEMPLATE_BLOCKS,
  KINDS_OF_TYPE,
  TEMPLATE_VARIABLES,
  type DocumentType,
} from '@heliograph/domain';
import { Button, Fieldset, Group, NativeSelect, Select, Stack, Textarea } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoundField } from '../../core/forms/form-state.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { SortableRows } from '../../ui/sortable-rows.tsx';
import { insertAt } from '../../ui/variables.ts';
import type { TemplateFormState } from './template-form.tsx';
import { type BlockValues, hasText } from './template-values.ts';

/** The blocks of a template in their order. */
export function TemplateBlocks({ form }: { form: TemplateFormState }) {
  const { t } = useTranslation();
  const { blocks, type } = form.values;
  const setBlocks = (next: BlockValues[]) => form.set({ blocks: next });
  const add = () => {
    const key = Math.max(-1, ...blocks.map((block) => block.key)) + 1;
    const text = { key, kind: 'text', text: '', align: '', condition: '', variable: '' } as const;
    setBlocks([...blocks, text]);
  };
  return (
    <>
      <SortableRows
        rows={blocks}
        keyOf={({ key }) => key}
        nameOf={(_, i) => t('documentTemplates:block', { number: i + 1 })}
        onChange={setBlocks}
      >
        {(block, i, handle) => (
          <Fieldset legend={t('documentTemplates:block', { number: i + 1 })} p="sm">
            <BlockFields
              type={type}
              block={block}
              field={(name) => form.field(`blocks.${i}.${name}`)}
              onChange={(changes) => setBlocks(blocks.with(i, { ...block, ...changes }))}
              buttons={
                blocks.length > 1 && (
                  <>
                    {handle}
                    <IconAction
                      icon={IconTrash}
                      label={t('documentTemplates:removeBlock', { number: i + 1 })}
                      onClick={() => setBlocks(blocks.filter((_, at) => at !== i))}
                    />
                  </>
                )
              }
            />
          </Fieldset>
        )}
      </SortableRows>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={blocks.length >= MAX_TEMPLATE_BLOCKS}
          onClick={add}
        >
          {t('documentTemplates:addBlock')}
        </Button>
      </div>
    </>
  );
}

const ALIGNMENTS = ['left', 'center', 'right', 'justify'] as const;
const MAX_TEXT_LENGTH = 4000;

interface BlockFieldsProps {
  type: DocumentType;
  block: BlockValues;
  field: (name: keyof BlockValues) => BoundField;
  onChange: (changes: Partial<BlockValues>) => void;
  /** The buttons that move and remove the block. */
  buttons: ReactNode;
}

/** One block of a template: its kind, its text with variables, and when it is shown. */
function BlockFields({ type, block, field, onChange, buttons }: BlockFieldsProps) {
  const { t } = useTranslation();
  const variables = TEMPLATE_VARIABLES[type];
  const isWritten = hasText(block.kind);
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        <NativeSelect
          {...field('kind')}
          label={t('documentTemplates:kind')}
          data={KINDS_OF_TYPE[type].map((value) => ({
            value,
            label: t(`documentTemplates:kinds.${value}`),
          }))}
          style={{ flex: '1 1 160px' }}
        />
        {isWritten && (
          <NativeSelect
            {...field('align')}
            label={t('documentTemplates:align')}
            data={[
              { value: '', label: t('documentTemplates:alignments.none') },
              ...ALIGNMENTS.map((value) => ({
                value,
                label: t(`documentTemplates:alignments.${value}`),
              })),
            ]}
            style={{ flex: '1 1 120px' }}
          />
        )}
        <Group gap={4} wrap="nowrap" ml="auto">
          {buttons}
        </Group>
      </Group>
      {isWritten && <BlockText block={block} field={field} onChange={onChange} type={type} />}
      <Group gap="xs" align="flex-end">
        <NativeSelect
          {...field('condition')}
          label={t('documentTemplates:condition')}
          data={(['', 'when', 'unless'] as const).map((value) => ({
            value,
            label: t(`documentTemplates:conditions.${value || 'always'}`),
          }))}
          style={{ flex: '1 1 160px' }}
        />
        {block.condition && (
          <NativeSelect
            {...field('variable')}
            label={t('documentTemplates:variable')}
            data={['', ...variables]}
            style={{ flex: '1 1 160px' }}
          />
        )}
      </Group>
    </Stack>
  );
}

function BlockText({ type, block, field, onChange }: Omit<BlockFieldsProps, 'buttons'>) {
  const { t } = useTranslation();
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (name: string | null) => {
    if (!name) return;
    const { selectionStart: start, selectionEnd: end } = area.current!;
    const { text, caret } = insertAt(block.text, start, end, `{${name}}`);
    onChange({ text });
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(caret, caret);
    });
  };
  const groups = ['document', 'seller', 'buyer'] as const;
  const groupOf = (name: string) => (name.includes('.') ? name.split('.')[0] : 'document');
  return (
    <>
      <Textarea
        {...field('text')}
        ref={area}
        label={t('documentTemplates:text')}
        required
        autosize
        minRows={1}
        maxRows={12}
        maxLength={MAX_TEXT_LENGTH}
      />
      <Select
        aria-label={t('documentTemplates:insert')}
        placeholder={t('documentTemplates:insert')}
        size="xs"
        searchable
        value={null}
        onChange={insert}
        data={groups.map((group) => ({
          group: t(`documentTemplates:groups.${group}`),
          items: TEMPLATE_VARIABLES[type]
            .filter((name) => groupOf(name) === group)
            .map((name) => ({ value: name, label: `{${name}}` })),
        }))}
      />
    </>
  );
}
