import { signupForms, type SignupFormInput } from '@heliograph/contract';
import type * as z from 'zod';
import { actOnRow, changeRow, rowQuery, sendBody } from '../../../core/row-calls.ts';
import { ACCOUNT_SIZES, listSpec, text } from '../../../list/state/list-spec.ts';

export const signupFormSpec = listSpec(signupForms.find, {
  resource: 'signupForms',
  filters: { OwnerId: text },
  order: ['createdAt', 'title'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const signupFormQuery = rowQuery('signupForms', signupForms.get);

export type SignupFormDraft = z.input<typeof SignupFormInput>;

export const useCreateSignupForm = sendBody(signupForms.create, 'signupForms');
export const useUpdateSignupForm = changeRow(signupForms.update, 'signupForms');
export const useRemoveSignupForm = actOnRow(signupForms.remove, 'signupForms');
