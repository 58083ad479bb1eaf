import { MAX_TEMPLATE_BLOCKS } from '@heliograph/domain';
import { Button, Fieldset } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { SortableRows } from '../../ui/sortable-rows.tsx';
import { BlockFields } from './block-fields.tsx';
import type { TemplateFormState } from './template-form.tsx';
import type { BlockValues } from './template-values.ts';

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
