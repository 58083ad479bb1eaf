import type { Company } from '@heliograph/contract';
import type { TaxSystem } from '@heliograph/domain';
import type { CompanyBody } from './companies.api.ts';

const DEFAULT_VALID_DAYS = 5;

/** The form of a company, with empty texts for what is absent. */
export function valuesOf(row: Company | null) {
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
export type CompanyValues = ReturnType<typeof valuesOf>;

export const bodyOf = ({ title, validDays, data, ...values }: CompanyValues): CompanyBody => ({
  ...values,
  title: title.trim(),
  validDays: validDays ?? DEFAULT_VALID_DAYS,
  data: { ...data, email: data.email.trim() || undefined },
});
