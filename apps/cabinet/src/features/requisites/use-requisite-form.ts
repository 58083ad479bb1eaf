import { RequisiteInput, type Requisite } from '@heliograph/contract';
import { fetched } from '../../core/lost-chunk.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { showNotice } from '../../core/toast.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { bodyOf, type RequisiteValues } from './requisite-values.ts';
import type { RequisiteBody } from './requisites.api.ts';

/** Of national numbers. */
export const COUNTRY = 'RU';

interface RequisiteFormOptions {
  initial: RequisiteValues;
  isEdit: boolean;
  submit: (body: RequisiteBody) => Promise<Requisite>;
  onDone: (saved: Requisite) => void;
}

export const useRequisiteForm = (options: RequisiteFormOptions) =>
  useContractForm({
    ...options,
    schema: RequisiteInput,
    toBody: bodyOf,
    check: checkPhones,
    onMarked: (refused) =>
      showNotice({
        id: 'requisites-refused',
        message: i18n.t(
          refused.some(({ rule }) => rule === 'required')
            ? 'requisites:notFilled'
            : 'errors:code.validation',
        ),
        color: 'red',
      }),
    texts: {
      'data.legalAddress.index': 'requisites:rule.index',
      'data.postalAddress.index': 'requisites:rule.index',
      'contact.phone.phone': 'requisites:rule.phone',
      'contact.email.email': 'requisites:rule.email',
      'data.legalAddress.phone.phone': 'requisites:rule.phone',
      'data.postalAddress.phone.phone': 'requisites:rule.phone',
    },
  });
export type RequisiteFormState = ReturnType<typeof useRequisiteForm>;

/** The numbering plans are loaded when the form is submitted. */
async function checkPhones({ contact, data, isPostalSame }: RequisiteValues) {
  const { parsePhone } = await fetched(() => import('../../core/parse-phone.ts'));
  const rule = (phone: string) => (phone && !parsePhone(phone, COUNTRY) ? 'phone' : null);
  return {
    'contact.phone': rule(contact.phone),
    'data.legalAddress.phone': rule(data.legalAddress.phone),
    'data.postalAddress.phone': isPostalSame ? null : rule(data.postalAddress.phone),
  };
}
