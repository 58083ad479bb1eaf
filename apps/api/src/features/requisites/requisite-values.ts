import type { Requisite as Wire, requisites } from '@heliograph/contract';
import { organizationKind, shortName } from '@heliograph/domain';
import type { In } from '../../core/http/endpoint.ts';

type Input = In<typeof requisites.create>['body'];

/** The columns of the parts that a request contains. Empty optional fields are null, derived ones are filled in. */
export function requisiteValues({
  contact,
  signer,
  data,
}: Pick<Partial<Input>, 'contact' | 'signer' | 'data'>) {
  return {
    ...(contact && { contact: { ...contact, middleName: contact.middleName || null } }),
    ...(signer && { signer: signerOf(signer) }),
    ...(data && { data: dataOf(data) }),
  };
}

/** `ООО «Чайный дом»`: quoted unless the name has quotes itself or is that of a person. */
export function titleOf({ opf, name, businessType }: Wire['data']['legal']): string {
  const isQuoted = businessType === 'INDIVIDUAL' || /["«“]/.test(name);
  return isQuoted ? `${opf} ${name}` : `${opf} «${name}»`;
}

function signerOf({ fullNameShort, ...signer }: Input['signer']): Wire['signer'] {
  const { nominative, genitive } = signer.fullName;
  const derived = { nominative: shortName(nominative), genitive: shortName(genitive) };
  return { ...signer, fullNameShort: fullNameShort ?? derived };
}

function dataOf({ legal, bank, tax, legalAddress, postalAddress }: Input['data']): Wire['data'] {
  const isPerson = organizationKind(legal.opf, legal.inn) === 'entrepreneur';
  return {
    legal: {
      ...legal,
      kpp: legal.kpp || null,
      okpo: legal.okpo || null,
      businessType: isPerson ? 'INDIVIDUAL' : 'LEGAL',
    },
    bank,
    tax: { system: tax.system ?? null, vat: tax.vat },
    legalAddress: addressOf(legalAddress),
    postalAddress: addressOf(postalAddress),
  };
}

const addressOf = ({ phone, phoneAdd, ...address }: Input['data']['legalAddress']) => ({
  ...address,
  phone: phone || null,
  phoneAdd: phoneAdd || null,
});
