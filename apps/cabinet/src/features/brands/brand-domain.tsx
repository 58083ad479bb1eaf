import { brands, type Brand } from '@heliograph/contract';
import { Anchor, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { Section } from './brand-form.tsx';
import { useSetDomain } from './brands.api.ts';

/** The host of the cabinet. Managers set it, who check whose it is; a reseller sees it. */
export function BrandDomain({ brand }: { brand: Brand }) {
  const { t } = useTranslation();
  const mayChange = useCan()('brands.setDomain', 'managerUp');
  const { domain } = brand;
  return (
    <Section id="brand-domain" title={t('brands:domain.title')}>
      <Text size="sm" mb="sm">
        {t('brands:domain.text')}
      </Text>
      {mayChange ? (
        <DomainForm brand={brand} />
      ) : domain ? (
        <Anchor href={`https://${domain}`} target="_blank" rel="noopener noreferrer" size="sm">
          {domain}
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed">
          {t('brands:domain.none')}
        </Text>
      )}
    </Section>
  );
}

function DomainForm({ brand: { OwnerId, domain } }: { brand: Brand }) {
  const { t } = useTranslation();
  const { mutateAsync } = useSetDomain();
  const form = useContractForm({
    initial: { domain: domain ?? '' },
    schema: brands.setDomain.body,
    isEdit: true,
    toBody: (values) => ({ OwnerId, domain: values.domain.trim() || null }),
    submit: mutateAsync,
    onDone(saved) {
      form.restart({ domain: saved.domain ?? '' });
      showSuccess(t('brands:domain.saved'));
    },
  });
  return (
    <ContractForm form={form} submit={t('brands:domain.save')}>
      <TextInput
        {...form.text('domain')}
        label={t('brands:domain.title')}
        description={t('brands:domain.hint')}
        placeholder="sms.example.com"
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
      />
    </ContractForm>
  );
}
