import { ApiError } from '@heliograph/contract';
import { fieldErrors } from '../../../core/errors.ts';
import { useSettings } from '../../../core/settings.ts';
import { useCreateSending, type Created } from '../use-create-sending.ts';
import { fieldOf, fieldOfCode, type Broken } from './form/send-rules.ts';
import { toInput, type SendValues } from './form/send-values.ts';

interface Outcome {
  onCreated: (created: Created) => void;
  /** The fields that a refusal is about, if any. */
  onRefused: (broken: Broken) => void;
}

/** Sends what the wizard says; a refusal is brought to the fields of the form. */
export function useSend(values: SendValues, { onCreated, onRefused }: Outcome) {
  const { sendernamesCheck } = useSettings().sendings;
  const { send, isPending, error, fault, needsPhone } = useCreateSending({
    onCreated,
    onRefused(refusal) {
      const broken: Broken = {};
      for (const { path, rule } of fieldErrors(refusal)) broken[fieldOf(path)] ??= rule;
      if (refusal instanceof ApiError) {
        const field = fieldOfCode(refusal.code, values, sendernamesCheck);
        if (field) broken[field] ??= refusal.code;
      }
      onRefused(broken);
    },
  });
  return { send: () => send(toInput(values)), isPending, refusal: error ?? fault, needsPhone };
}
