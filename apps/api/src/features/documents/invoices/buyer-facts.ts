import type { Requisite } from '@heliograph/contract';
import type { PartyFacts } from '@heliograph/domain';

/** The buyer of a document. */
export function buyerFacts({
  contact,
  signer,
  data,
}: Pick<Requisite, 'contact' | 'signer' | 'data'>): PartyFacts {
  const { legal, bank, legalAddress } = data;
  return {
    name: organizationName(legal.opf, legal.name),
    inn: legal.inn,
    kpp: legal.kpp ?? '',
    ogrn: legal.ogrn,
    address: [legalAddress.index, legalAddress.country, legalAddress.city, legalAddress.address]
      .filter(Boolean)
      .join(', '),
    phone: contact.phone,
    email: contact.email,
    bankName: bank.name,
    bik: bank.bik,
    account: bank.rs,
    correspondentAccount: bank.ks,
    signerName: signer.fullName.nominative,
    signerNameGenitive: signer.fullName.genitive,
    signerPosition: signer.position.nominative,
    signerPositionGenitive: signer.position.genitive,
    signerBasis: signer.basis.nominative,
    signerBasisGenitive: signer.basis.genitive,
  };
}

/** `ООО «Чайный дом»`; an entrepreneur's name and a name that has quotes already are not quoted. */
function organizationName(opf: string, name: string): string {
  const isPlain = /[«"]/.test(name) || /^(?:ИП|индивидуальный предприниматель)$/i.test(opf);
  return `${opf} ${isPlain ? name : `«${name}»`}`;
}
