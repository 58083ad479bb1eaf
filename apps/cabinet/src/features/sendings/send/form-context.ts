import { createFormContext } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ruleText } from '../../../core/errors.ts';
import type { SendValues } from './send-values.ts';

export const [SendFormProvider, useSendForm, useCreateSendForm] = createFormContext<SendValues>();

/** Errors of the form are names of rules; here they become words, so that they follow a change of language. */
export function useFieldError(): (path: string) => string | undefined {
  const { t } = useTranslation();
  const { errors } = useSendForm();
  return (path) => {
    const rule = errors[path];
    return typeof rule === 'string' ? ruleText(t, rule) : undefined;
  };
}
