import { lookups, type CompanySuggestion } from '@heliograph/contract';
import { Badge, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useFindCompany } from './requisites.api.ts';

interface CompanyDialogProps {
  opened: boolean;
  onClose: () => void;
  onChoose: (company: CompanySuggestion) => void;
}

/** Looks a company up by its INN and fills the form with it. */
export function CompanyDialog({ opened, onClose, onChoose }: CompanyDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} size={600} title={t('requisites:company.title')}>
      <CompanySearch
        onClose={onClose}
        onChoose={(company) => {
          onChoose(company);
          onClose();
        }}
      />
    </Dialog>
  );
}

function CompanySearch({ onClose, onChoose }: Omit<CompanyDialogProps, 'opened'>) {
  const { t } = useTranslation();
  const { mutateAsync } = useFindCompany();
  const [found, setFound] = useState<CompanySuggestion[] | null>(null);
  const form = useContractForm({
    initial: { query: '' },
    schema: lookups.companies.body,
    submit: ({ query }) => mutateAsync(query),
    onDone: ({ suggestions }) => setFound(suggestions),
    repeats: true,
  });
  const footer = (
    <FormFooter form={form} submit={t('requisites:company.find')} onCancel={onClose} />
  );
  return (
    <ContractForm form={form} footer={footer} guarded={false}>
      <TextInput
        {...form.field('query')}
        label={t('requisites:inn')}
        description={t('requisites:company.hint')}
        inputMode="numeric"
        className="numeric"
        required
        maxLength={20}
        data-autofocus
      />
      <div role="status">
        {found?.length === 0 && <Text size="sm">{t('requisites:company.none')}</Text>}
        <Stack gap="xs">
          {found?.map((company) => (
            <Paper key={company.ogrn + company.kpp} withBorder p="sm">
              <Group justify="space-between" gap="sm">
                <div>
                  <Text size="sm" fw={600}>
                    {company.opf} {company.name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {company.address.city}, {company.address.address}
                  </Text>
                  {!company.isActive && (
                    <Badge color="orange" variant="light">
                      {t('requisites:company.inactive')}
                    </Badge>
                  )}
                </div>
                <Button variant="default" onClick={() => onChoose(company)}>
                  {t('requisites:company.choose')}
                </Button>
              </Group>
            </Paper>
          ))}
        </Stack>
      </div>
    </ContractForm>
  );
}
