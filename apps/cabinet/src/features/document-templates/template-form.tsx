import { documentTemplates, type DocumentTemplate } from '@heliograph/contract';
import { DEFAULT_TEMPLATES, DOCUMENT_TYPES, type DocumentType } from '@heliograph/domain';
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { companySource, type TemplateBody } from './document-templates.api.ts';
import { TemplateBlocks } from './template-blocks.tsx';
import { TemplatePreview } from './template-preview.tsx';
import { blocksOf, brokenTexts, rowsOf, valuesOf } from './template-values.ts';

interface TemplateFormOptions {
  row: DocumentTemplate | null;
  submit: (body: TemplateBody) => Promise<DocumentTemplate>;
  onDone: (saved: DocumentTemplate) => void;
}

function useTemplateForm({ row, submit, onDone }: TemplateFormOptions) {
  const { t } = useTranslation();
  const form = useContractForm({
    initial: valuesOf(row),
    isEdit: !!row,
    schema: row ? documentTemplates.update.body : documentTemplates.create.body,
    toBody: ({ title, type, CompanyId, blocks }): TemplateBody => ({
      title: title.trim(),
      type,
      blocks: blocksOf(blocks),
      // Neither changes later; a new template is activated when it is ready.
      ...(!row && { isActive: false }),
      ...((!row && { CompanyId }) as { CompanyId: string }),
    }),
    check: (values) => brokenTexts(values, t),
    submit,
    onDone,
  });
  // What was changed elsewhere is shown, unless something is being changed here.
  const stored = row?.updatedAt;
  const [shown, setShown] = useState(stored);
  useEffect(() => {
    if (stored === shown) return;
    setShown(stored);
    if (!form.isDirty()) form.restart(valuesOf(row));
  }, [stored, shown, form, row]);
  return form;
}
export type TemplateFormState = ReturnType<typeof useTemplateForm>;

interface TemplateFormProps extends TemplateFormOptions {
  readOnly?: boolean;
}

/** Title, company, type and blocks of a template, and beside them what it makes of sample data. */
export function TemplateForm({ readOnly, ...options }: TemplateFormProps) {
  const { t } = useTranslation();
  const { row } = options;
  const form = useTemplateForm(options);
  const { type, CompanyId } = form.values;
  const submit = t(row ? 'documentTemplates:save' : 'documentTemplates:createSubmit');
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
      <ContractForm
        form={form}
        label={row?.title ?? t('documentTemplates:createTitle')}
        readOnly={readOnly}
        submit={submit}
      >
        <TextInput
          {...form.text('title')}
          label={t('documentTemplates:name')}
          required
          autoComplete="off"
        />
        {!row && (
          <>
            <AsyncSelect
              {...form.field('CompanyId')}
              source={companySource}
              value={CompanyId}
              label={t('documentTemplates:company')}
              required
            />
            <NativeSelect
              {...form.field('type')}
              onChange={(event) => {
                const next = event.currentTarget.value as DocumentType;
                form.set({ type: next, blocks: rowsOf(DEFAULT_TEMPLATES[next]) });
              }}
              label={t('documentTemplates:type')}
              description={t('documentTemplates:typeHint')}
              data={DOCUMENT_TYPES.map((value) => ({
                value,
                label: t(`documentTemplates:types.${value}`),
              }))}
            />
          </>
        )}
        <TemplateBlocks form={form} />
      </ContractForm>
      <TemplatePreview
        type={type}
        CompanyId={CompanyId}
        blocks={() => {
          const broken = brokenTexts(form.values, t);
          if (Object.keys(broken).length > 0) form.setErrors(broken);
          else return blocksOf(form.values.blocks);
          return null;
        }}
      />
    </SimpleGrid>
  );
}
