import type { Template } from '@heliograph/contract';
import type { TemplateDraft } from '../../templates/templates.api.ts';
import { saysTheSame, withTemplate } from './from-template.ts';
import {
  emptyValues,
  entriesOf,
  fallbackOf,
  payloadOf,
  type RecipientValues,
  type SendValues,
} from './send-values.ts';

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
