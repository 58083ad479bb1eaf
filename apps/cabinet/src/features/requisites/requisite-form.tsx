import type { CompanySuggestion, Requisite } from '@heliograph/contract';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { IconInfo } from '../../ui/icons.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { SectionForm } from '../../ui/section-form.tsx';
import { proposeGenitive } from './genitive.ts';
import { valuesOf, withCompany, type RequisiteValues } from './requisite-values.ts';
import type { RequisiteBody } from './requisites.api.ts';
import { requisiteSections } from './sections.tsx';
import { useRequisiteDraft } from './use-requisite-draft.ts';
import { useRequisiteForm } from './use-requisite-form.ts';

interface RequisiteFormProps {
  /** Names the draft of this tab. */
  id: string;
  title: string;
  /** Of what is edited. */
  name?: string;
  action: string;
  initial: RequisiteValues;
  isEdit: boolean;
  readOnly?: boolean;
  submit: (body: RequisiteBody) => Promise<Requisite>;
  onDone: (saved: Requisite) => void;
  onClose: () => void;
  /** A company that was looked up. */
  company?: CompanySuggestion | null;
  children?: ReactNode;
}

/** The page of new requisites and of stored ones. */
export function RequisiteForm(props: RequisiteFormProps) {
  const { id, title, name, action, initial, isEdit, readOnly, submit, onClose, company } = props;
  const { t } = useTranslation();
  const form = useRequisiteForm({
    initial,
    isEdit,
    submit,
    onDone(saved) {
      draft.drop();
      if (isEdit) form.restart(valuesOf(saved));
      props.onDone(saved);
    },
  });
  const draft = useRequisiteDraft(id, form);
  // What was changed elsewhere is shown, unless something is being changed here.
  const stored = JSON.stringify(initial);
  const [shown, setShown] = useState(stored);
  useEffect(() => {
    if (stored === shown) return;
    setShown(stored);
    if (!form.isDirty()) form.restart(JSON.parse(stored) as RequisiteValues);
  }, [stored, shown, form]);
  const [filled, setFilled] = useState(company);
  useEffect(() => {
    if (!company || company === filled) return;
    setFilled(company);
    const { signer } = form.values;
    const propose = (field: 'fullName' | 'position', value: string) =>
      value ? proposeGenitive(field, signer[field], value) : signer[field];
    form.set({
      ...withCompany(form.values, company),
      signer: {
        ...signer,
        fullName: propose('fullName', company.management.name),
        position: propose('position', company.management.position),
      },
    });
  }, [company, filled, form]);
  const footer = (
    <FormFooter form={form} submit={action} onCancel={onClose} cancel={t('common:close')} />
  );
  return (
    <>
      <PageHeader
        title={title}
        mark={name && <Text c="dimmed">{name}</Text>}
        back={{ to: '/account/requisites', label: t('requisites:back') }}
      >
        {props.children}
        <Button variant="default" onClick={onClose} disabled={form.isPending}>
          {t('common:close')}
        </Button>
        {!readOnly && (
          <Button onClick={() => form.submit()} loading={form.isPending} disabled={!!form.blocked}>
            {action}
          </Button>
        )}
      </PageHeader>
      {draft.isRestored && (
        <Alert color="blue" mb="md" p="sm" role="status" icon={<IconInfo aria-hidden />}>
          <Group justify="space-between" gap="sm">
            {t('requisites:draftRestored')}
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                draft.drop();
                form.reset();
              }}
            >
              {t('requisites:draftDiscard')}
            </Button>
          </Group>
        </Alert>
      )}
      <ContractForm form={form} label={title} footer={footer} readOnly={readOnly}>
        <SectionForm sections={requisiteSections(form, t)} errors={form.errors} />
      </ContractForm>
    </>
  );
}
