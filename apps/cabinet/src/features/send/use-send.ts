import { ApiError } from '@heliograph/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors, fieldText, groupByField, requestId } from '../../core/errors.ts';
import { useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useCreateSending, type Created } from './send.api.ts';
import { createDefaultTitles } from './form/default-title.ts';
import { fieldOf, fieldOfCode, isField, type Broken } from './form/send-rules.ts';
import { toInput, type SendValues } from './form/send-values.ts';

interface Outcome {
  onCreated: (created: Created) => void;
  /** The fields that a refusal is about, if any. */
  onRefused: (broken: Broken) => void;
}

/** Sends the wizard's message; errors are set on the fields of the form. */
export function useSend(values: SendValues, { onCreated, onRefused }: Outcome) {
  const { t } = useTranslation();
  const { sendernamesCheck } = useSettings().sendings;
  const formats = useFormats();
  const titles = useRef(createDefaultTitles());
  const ofForm = (path: string) => (isField(fieldOf(path)) ? fieldOf(path) : null);
  const { send, isPending, error, fault, needsPhone } = useCreateSending({
    onCreated(created) {
      titles.current.forget();
      onCreated(created);
    },
    onRefused(refusal) {
      const broken: Broken = {};
      for (const [field, refused] of groupByField(fieldErrors(refusal), ofForm).marked)
        broken[field] = fieldText(t, refused);
      if (refusal instanceof ApiError) {
        const field = fieldOfCode(refusal.code, values, sendernamesCheck);
        if (field) broken[field] ??= refusal.code;
      }
      onRefused(broken);
    },
  });
  const { marked, unmarked } = groupByField(fieldErrors(error), ofForm);
  /** Errors without a field are shown above the buttons. */
  const text = () =>
    marked.size && !unmarked.length ? t('errors:code.validation') : errorText(t, error, unmarked);
  const refusal = error
    ? { text: text(), requestId: requestId(error) }
    : fault
      ? { text: fault }
      : null;
  const defaultTitle = () =>
    `${t(`common:type.${values.type}`)} ${formats.dateTimeShort(new Date().toISOString())}`;
  return {
    send: () => send(titles.current.withTitle(toInput(values), defaultTitle)),
    isPending,
    refusal,
    needsPhone,
  };
}
