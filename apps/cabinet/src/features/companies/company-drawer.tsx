import { companies, type Company } from '@heliograph/contract';
import { TAX_SYSTEMS, type TaxSystem } from '@heliograph/domain';
import {
  Anchor,
  Checkbox,
  Fieldset,
  NativeSelect,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { OwnerSelect } from '../../ui/owner-select.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
import {
  companyQuery,
  useCreateCompany,
  useUpdateCompany,
  type CompanyBody,
} from './companies.api.ts';

export function CompanyDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={companyQuery}
      mayCreate={can('companies.create', 'managerUp')}
      size={600}
      createTitle={t('companies:createTitle')}
      title={(row) => row?.title ?? t('companies:detail')}
      failed={t('companies:failed')}
    >
      {(row, onClose) => (
        <>
          {row && can('documentTemplates.get', 'managerUp') && (
            <Anchor
              component={Link}
              to={`/documentTemplates?f.CompanyId=${row.id}`}
              size="sm"
              mb="sm"
              display="inline-block"
            >
              {t('companies:templates')}
            </Anchor>
          )}
          <CompanyForm key={row?.id} row={row} onClose={onClose} />
        </>
      )}
    </RowDialog>
  );
}

interface CompanyFormProps {
  row: Company | null;
  onClose: () => void;
}

const MAX_VALID_DAYS = 365;
const numeric = { inputMode: 'numeric', autoComplete: 'off', className: 'numeric' } as const;
const plain = { autoComplete: 'off', maxLength: 300 } as const;
const TWO = { base: 1, xs: 2 };

/** A company that issues documents. Only administrators change those that do so to every account. */
function CompanyForm({ row, onClose }: CompanyFormProps) {
  const { t } = useTranslation();
  const can = useCan();
  const isAdministrator = can('users.all');
  const create = useCreateCompany();
  const update = useUpdateCompany(row?.id ?? '');
  const form = useContractForm({
    initial: valuesOf(row),
    isEdit: !!row,
    schema: row ? companies.update.body : companies.create.body,
    toBody: bodyOf,
    check: ({ OwnerId, validDays }) => ({
      OwnerId: !row && !OwnerId && !isAdministrator && 'required',
      validDays: validDays === null && 'required',
    }),
    submit: (body) => (row ? update.mutateAsync(body) : create.mutateAsync(body)),
    onDone(_, { title }) {
      showSuccess(t('companies:saved', { title: title.trim() }));
      onClose();
    },
  });
  const mayWrite =
    can(row ? 'companies.update' : 'companies.create', 'managerUp') &&
    (isAdministrator || !row || !!row.OwnerId);
  const submit = t(row ? 'companies:save' : 'companies:createSubmit');
  const inputOf = (path: string, label: string) => ({ ...form.field(path), ...plain, label });
  const accountOf = (name: string, label: string) => ({
    ...form.field(`data.bank.${name}`),
    ...numeric,
    label,
    required: true,
  });
  return (
    <ContractForm form={form} readOnly={!mayWrite} submit={submit} onCancel={onClose}>
      <TextInput {...form.text('title')} label={t('companies:name')} required autoComplete="off" />
      <OwnerSelect
        {...form.field('OwnerId')}
        value={form.values.OwnerId}
        label={t('companies:owner')}
        description={t('companies:ownerHint')}
        required={!row && !isAdministrator}
        disabled={!!row}
      />
      <NativeSelect
        {...form.field('taxSystem')}
        label={t('companies:taxSystem')}
        data={TAX_SYSTEMS.map((value) => ({ value, label: t(`companies:taxSystems.${value}`) }))}
      />
      <SimpleGrid cols={TWO}>
        <TextInput
          {...form.text('prefix')}
          label={t('companies:prefix')}
          description={t('companies:prefixHint')}
          autoComplete="off"
        />
        <NumberField
          {...form.field('validDays')}
          value={form.values.validDays}
          label={t('companies:validDays')}
          description={t('companies:validDaysHint')}
          scale={0}
          min={1}
          max={MAX_VALID_DAYS}
          required
        />
      </SimpleGrid>
      <Fieldset legend={t('companies:legal')}>
        <Stack gap="xs">
          <TextInput
            {...inputOf('data.legal.name', t('companies:legalName'))}
            description={t('companies:legalNameHint')}
            required
          />
          <SimpleGrid cols={TWO}>
            <TextInput
              {...form.field('data.legal.inn')}
              {...numeric}
              label={t('requisites:inn')}
              required
            />
            <TextInput
              {...form.field('data.legal.kpp')}
              {...numeric}
              label={t('requisites:kpp')}
              inputMode="text"
            />
            <TextInput
              {...form.field('data.legal.ogrn')}
              {...numeric}
              label={t('requisites:ogrn')}
            />
          </SimpleGrid>
          <TextInput {...inputOf('data.legal.address', t('companies:address'))} required />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('companies:bank')}>
        <SimpleGrid cols={TWO}>
          <TextInput {...inputOf('data.bank.name', t('requisites:bankName'))} required />
          <TextInput {...accountOf('bik', t('requisites:bik'))} />
          <TextInput {...accountOf('rs', t('requisites:rs'))} />
          <TextInput {...accountOf('ks', t('requisites:ks'))} />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend={t('companies:signer')}>
        <SimpleGrid cols={TWO}>
          <TextInput {...inputOf('data.signer.fullName', t('companies:fullName'))} required />
          <TextInput
            {...inputOf('data.signer.fullNameGenitive', t('companies:fullNameGenitive'))}
          />
          <TextInput {...inputOf('data.signer.position', t('companies:position'))} required />
          <TextInput
            {...inputOf('data.signer.positionGenitive', t('companies:positionGenitive'))}
          />
          <TextInput {...inputOf('data.signer.basis', t('companies:basis'))} />
          <TextInput {...inputOf('data.signer.basisGenitive', t('companies:basisGenitive'))} />
          <TextInput {...inputOf('data.accountant', t('companies:accountant'))} />
        </SimpleGrid>
      </Fieldset>
      <SimpleGrid cols={TWO}>
        <TextInput {...form.text('data.phone')} label={t('companies:phone')} />
        <TextInput {...form.text('data.email')} label={t('companies:email')} />
      </SimpleGrid>
      <Checkbox
        {...form.field('isActive', { type: 'checkbox' })}
        label={t('companies:isActive')}
        description={t('companies:isActiveHint')}
      />
    </ContractForm>
  );
}

const DEFAULT_VALID_DAYS = 5;

/** The form of a company, with empty texts for what is absent. */
function valuesOf(row: Company | null) {
  const { legal, bank, signer, accountant, phone, email } = row?.data ?? {};
  return {
    OwnerId: row?.OwnerId ?? null,
    title: row?.title ?? '',
    taxSystem: row?.taxSystem ?? ('general' as TaxSystem),
    prefix: row?.prefix ?? '',
    validDays: (row?.validDays ?? DEFAULT_VALID_DAYS) as number | null,
    isActive: row?.isActive ?? true,
    data: {
      legal: {
        name: legal?.name ?? '',
        inn: legal?.inn ?? '',
        kpp: legal?.kpp ?? '',
        ogrn: legal?.ogrn ?? '',
        address: legal?.address ?? '',
      },
      bank: { name: '', bik: '', rs: '', ks: '', ...bank },
      signer: {
        fullName: '',
        fullNameGenitive: '',
        position: '',
        positionGenitive: '',
        basis: '',
        basisGenitive: '',
        ...signer,
      },
      accountant: accountant ?? '',
      phone: phone ?? '',
      email: email ?? '',
    },
  };
}
type CompanyValues = ReturnType<typeof valuesOf>;

const bodyOf = ({ title, validDays, data, ...values }: CompanyValues): CompanyBody => ({
  ...values,
  title: title.trim(),
  validDays: validDays ?? DEFAULT_VALID_DAYS,
  data: { ...data, email: data.email.trim() || undefined },
});
