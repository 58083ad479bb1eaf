import type { Bulk, Payload, Status, TaskRecipients, Template } from '@heliograph/contract';
import { DEFAULT_TIMEOUT_SECONDS, FALLBACK_STATUSES, isUuid } from '@heliograph/domain';
import { randomKey } from '../../../core/idempotency.ts';
import type { TemplateDraft } from '../../templates/templates.api.ts';
import {
  NO_PAYLOAD,
  payloadOf,
  type FallbackValues,
  type MessageValues,
  type PayloadValues,
  type RecipientValues,
  type SendValues,
  emptyValues,
  entriesOf,
  fallbackOf,
} from './send-values.ts';

export type Copy = Pick<Template, 'type' | 'payload' | 'recipient' | 'fallbacks'>;

const payloadFrom = (payload: Partial<Payload>): PayloadValues => ({
  ...NO_PAYLOAD,
  ...Object.fromEntries(Object.entries(payload).filter(([, value]) => value != null)),
});

/** Fallbacks of a template are written under either of two names. */
function fallbackFrom(stored: Copy['fallbacks'][number]): FallbackValues {
  const { type, payload, options, $options } = stored as Copy['fallbacks'][number] & {
    payload?: Partial<Payload>;
    options?: Options;
    $options?: Options;
  };
  const { onStatus, onTimeout, onIncomingPayload } = options ?? $options ?? {};
  return {
    id: randomKey(),
    type,
    payload: payloadFrom(payload ?? {}),
    // Older ones may name statuses that start nothing.
    onStatus: FALLBACK_STATUSES.filter((status) => onStatus?.includes(status)),
    timeout: onTimeout ? (onTimeout.timeout ?? DEFAULT_TIMEOUT_SECONDS) : '',
    except: onTimeout?.except ?? [],
    reply: onIncomingPayload?.text ?? '',
  };
}
interface Options {
  onStatus?: Status[];
  onTimeout?: { timeout?: number; except?: Status[] } | null;
  onIncomingPayload?: { text?: string } | null;
}

const peopleFrom = (entries: string[] = []): RecipientValues => ({
  lists: entries.filter(isUuid),
  typed: entries.filter((entry) => !isUuid(entry)).join('\n'),
});

/** A template copies its type, payload, recipients and fallbacks; one without recipients leaves those that are there. */
export function withTemplate(values: SendValues, template: Copy): SendValues {
  const { type, payload, recipient, fallbacks } = template;
  return {
    ...values,
    type,
    payload: payloadFrom(payload),
    ...(recipient && {
      include: peopleFrom(recipient.include),
      exclude: peopleFrom(recipient.exclude),
    }),
    fallbacks: fallbacks.map(fallbackFrom),
  };
}

/** The message of a bulk with its recipients. Typed ones are left out where the task names only the first of them. */
export function copyOf({ data: { sending } }: Bulk, { include, exclude }: TaskRecipients): Copy {
  const { type, payload, fallbacks = [] } = sending as unknown as Copy;
  const entries = ({
    lists,
    segments = [],
    recipients: typed = [],
    count = 0,
  }: TaskRecipients['include']) => [
    ...lists,
    ...segments.map(({ id }) => id),
    ...(count > typed.length ? [] : typed),
  ];
  return {
    type,
    payload,
    fallbacks,
    recipient: { include: entries(include), exclude: entries(exclude) },
  };
}

/** Whether the message is still the template's. */
export function saysTheSame(values: MessageValues, template: Copy): boolean {
  const payload = payloadFrom(template.payload);
  // A template without a sender leaves it to the sending.
  if (!payload.sender) payload.sender = values.payload.sender;
  const templateMessage = { type: template.type, payload };
  return (
    values.type === templateMessage.type &&
    JSON.stringify(payloadOf(values)) === JSON.stringify(payloadOf(templateMessage))
  );
}

type Said = Pick<TemplateDraft, 'type' | 'payload' | 'recipient' | 'fallbacks'>;

const peopleOf = ({ lists, typed }: RecipientValues) => [...lists, ...entriesOf(typed)];

/** The wizard's values as a template: the message, its fallbacks, optionally its recipients, and no schedule. */
export function templateOf(values: SendValues, withPeople: boolean): Said {
  const recipient = { include: peopleOf(values.include), exclude: peopleOf(values.exclude) };
  return {
    type: values.type,
    payload: payloadOf(values),
    fallbacks: values.fallbacks.map(fallbackOf),
    recipient: withPeople && recipient.include.length > 0 ? recipient : null,
  };
}

/** Only the changed fields: changing the recipients alone needs no moderation. */
export function changesTo(
  template: Template,
  values: SendValues,
  withPeople: boolean,
): Partial<Said> {
  const { type, payload, fallbacks, recipient } = templateOf(values, withPeople);
  const before = templateOf(withTemplate(emptyValues(template.type), template), true);
  const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  return {
    ...(!saysTheSame(values, template) && { type, payload }),
    ...(differs(fallbacks, before.fallbacks) && { fallbacks }),
    ...(differs(recipient, before.recipient) && { recipient }),
  };
}
