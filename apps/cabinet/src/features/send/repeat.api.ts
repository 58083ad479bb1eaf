import { recurringSendings, type Bulk, type TaskRecipients } from '@heliograph/contract';
import { sendBody } from '../../core/row-calls.ts';
import { emptyValues, fallbackOf, payloadOf } from './form/send-values.ts';
import { copyOf, withTemplate } from './form/template-values.ts';

/** Has it sent again and again. */
export const useCreateRecurring = sendBody(recurringSendings.create, 'recurringSendings');

/** What a bulk sends and to whom, as the wizard would send it again; null where that is not to lists and segments alone. */
export function repeatedContent(task: Bulk, recipients: TaskRecipients) {
  if (countOf(recipients.include) || countOf(recipients.exclude)) return null;
  const copy = copyOf(task, recipients);
  const values = withTemplate(emptyValues(copy.type), copy);
  if (!values.include.lists.length) return null;
  const { schedule, callbackData } = task.data.sending as {
    schedule?: { until?: unknown; validUntil?: unknown } | null;
    callbackData?: string | null;
  };
  const { until, validUntil } = schedule ?? {};
  return {
    type: values.type,
    payload: payloadOf(values),
    fallbacks: values.fallbacks.map(fallbackOf),
    recipient: { include: values.include.lists, exclude: values.exclude.lists },
    // Times, unlike hours and seconds, are of that one bulk.
    schedule: {
      until: typeof until === 'number' ? until : 0,
      ...(typeof validUntil === 'number' && { validUntil }),
    },
    callbackData: callbackData ?? null,
  };
}

const countOf = ({ recipients = [], count = recipients.length }: TaskRecipients['include']) =>
  count;
