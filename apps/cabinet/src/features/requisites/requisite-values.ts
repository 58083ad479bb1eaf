import type { CompanySuggestion, Requisite, User } from '@heliograph/contract';
import { ORGANIZATION_FORMS } from '@heliograph/domain';
import type { RequisiteBody } from './requisites.api.ts';

const cases = () => ({ nominative: '', genitive: '' });
const address = () => ({
  country: 'Россия',
  city: '',
  index: '',
  address: '',
  phone: '',
  phoneAdd: '',
});

/** The values of an empty section, to which it is cleared. */
export const EMPTY = {
  contact: () => ({ lastName: '', firstName: '', middleName: '', phone: '', email: '' }),
  signer: () => ({ fullName: cases(), position: cases(), basis: cases() }),
  legal: () => ({
    opf: ORGANIZATION_FORMS[0] as string,
    name: '',
    inn: '',
    ogrn: '',
    kpp: '',
    okpo: '',
  }),
  bank: () => ({ name: '', bik: '', rs: '', ks: '' }),
  address,
};

export const emptyValues = () => ({
  contact: EMPTY.contact(),
  signer: EMPTY.signer(),
  data: {
    legal: EMPTY.legal(),
    bank: EMPTY.bank(),
    tax: { system: null as Requisite['data']['tax']['system'], vat: false },
    legalAddress: address(),
    postalAddress: address(),
  },
  /** The postal address is the legal one. */
  isPostalSame: true,
});
export type RequisiteValues = ReturnType<typeof emptyValues>;

/** Null is an empty text in a form. */
const filled = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? ''])) as {
    [K in keyof T]: NonNullable<T[K]>;
  };

export function valuesOf({ contact, signer, data }: Requisite): RequisiteValues {
  const { opf, name, inn, ogrn, kpp, okpo } = filled(data.legal);
  const { fullName, position, basis } = signer;
  const [legalAddress, postalAddress] = [filled(data.legalAddress), filled(data.postalAddress)];
  return {
    contact: filled(contact),
    signer: { fullName, position, basis },
    data: {
      legal: { opf, name, inn, ogrn, kpp, okpo },
      bank: data.bank,
      tax: data.tax,
      legalAddress,
      postalAddress,
    },
    isPostalSame: JSON.stringify(legalAddress) === JSON.stringify(postalAddress),
  };
}

export function bodyOf({ contact, signer, data, isPostalSame }: RequisiteValues): RequisiteBody {
  const { legalAddress, postalAddress } = data;
  return {
    contact,
    signer,
    data: { ...data, postalAddress: isPostalSame ? legalAddress : postalAddress },
  };
}

/** The contact person of the user's profile. */
export const contactOf = ({ data }: User) => ({
  lastName: data.lastName ?? '',
  firstName: data.firstName ?? '',
  phone: data.phone ?? '',
  email: data.email ?? '',
});

/** The fields that a company of a look-up fills; what the source does not know stays. */
export function withCompany(values: RequisiteValues, company: CompanySuggestion): RequisiteValues {
  const { type, opf, name, inn, ogrn, kpp, okpo, address: found } = company;
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value));
  return {
    ...values,
    data: {
      ...values.data,
      legal: {
        opf: opf || (type === 'INDIVIDUAL' ? 'ИП' : values.data.legal.opf),
        name,
        inn,
        ogrn,
        kpp,
        okpo,
      },
      legalAddress: { ...values.data.legalAddress, ...known },
    },
  };
}
