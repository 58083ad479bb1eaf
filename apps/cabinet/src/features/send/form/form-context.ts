import { createFormContext } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ruleText } from '../../../core/errors.ts';
import type { MessageValues, PayloadValues, SendValues } from './send-values.ts';

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

/** One message of the form: the sending's own (`null`), or that of a fallback by its place. */
export function useMessage(fallback: number | null) {
  const form = useSendForm();
  const errorOf = useFieldError();
  const prefix = fallback === null ? '' : `fallbacks.${fallback}.`;
  const message: MessageValues = fallback === null ? form.values : form.values.fallbacks[fallback]!;
  return {
    message,
    set<K extends keyof PayloadValues>(name: K, value: PayloadValues[K]): void {
      // A button is checked part by part.
      for (const path of Object.keys(form.errors))
        if (path.startsWith(`${prefix}payload.${name}.`)) form.clearFieldError(path);
      form.setFieldValue(`${prefix}payload.${name}`, value as never);
    },
    setType(type: string): void {
      form.setFieldValue(`${prefix}type`, type as never);
      // Names belong to a channel.
      form.setFieldValue(`${prefix}payload.sender`, '' as never);
    },
    errorOf: (name: string) => errorOf(prefix + name),
  };
}
