import type { InboundRule } from '@heliograph/contract';
import { DEFAULT_REPLY_MINUTES, type InboundAction, type InboundMode } from '@heliograph/domain';
import type { InboundRuleDraft } from './inbound-rules.api.ts';

export interface RuleValues {
  title: string;
  mode: InboundMode;
  /** One in a line. */
  keywords: string;
  types: InboundRule['types'];
  sender: string;
  isContinued: boolean;
  actions: InboundAction[];
  replyText: string;
  replyMinutes: number | null;
  ListId: string | null;
  listChange: InboundRule['listChange'];
  WebhookId: string | null;
}

export const initialValues = (row: InboundRule | null): RuleValues => ({
  title: row?.title ?? '',
  mode: row?.mode ?? 'contains',
  keywords: row?.keywords.join('\n') ?? '',
  types: row?.types ?? [],
  sender: row?.sender ?? '',
  isContinued: row?.isContinued ?? false,
  actions: row?.actions ?? ['reply'],
  replyText: row?.replyText ?? '',
  replyMinutes: row?.replyMinutes ?? DEFAULT_REPLY_MINUTES,
  ListId: row?.ListId ?? null,
  listChange: row?.listChange ?? 'add',
  WebhookId: row?.WebhookId ?? null,
});

/** Lines and commas separate keywords. */
export const keywordsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,;]/)
      .map((word) => word.trim())
      .filter(Boolean),
  ),
];

/** What belongs to actions that are not chosen stays as it is, but must not be refused. */
export function bodyOf(values: RuleValues): InboundRuleDraft {
  const { title, keywords, sender, actions, replyText, ...rest } = values;
  const has = (action: InboundAction) => actions.includes(action);
  return {
    ...rest,
    title: title.trim(),
    keywords: rest.mode === 'any' ? [] : keywordsOf(keywords),
    sender: sender.trim() || null,
    actions,
    replyText: has('reply') ? replyText : null,
    // An empty field is refused beside it.
    replyMinutes: has('reply') ? (rest.replyMinutes as number) : DEFAULT_REPLY_MINUTES,
    ListId: has('list') ? rest.ListId : null,
    WebhookId: has('webhook') ? rest.WebhookId : null,
  };
}
