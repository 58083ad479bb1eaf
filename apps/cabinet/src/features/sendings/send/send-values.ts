import { SendingInput, type SendingType } from '@heliograph/contract';
import type { SendingDraftInput } from '../sendings.api.ts';

export interface MessageValues {
  type: SendingType;
  payload: { sender: string; subject: string; text: string };
}

export interface FallbackValues extends MessageValues {
  onFailed: boolean;
  /** Seconds; nothing is no timeout. */
  timeout: number | '';
  reply: string;
}

/** The form's own shape: what a person fills in, in the order of the page. */
export interface SendValues extends MessageValues {
  lists: string[];
  phones: string;
  fallbacks: FallbackValues[];
  when: 'now' | 'later';
  /** As the browser's field gives it, in local time: `2026-11-21T14:30`. */
  at: string;
  hours: number;
  title: string;
}

const NO_MESSAGE = { sender: '', subject: '', text: '' };

export function emptyValues(type: SendingType): SendValues {
  return {
    type,
    payload: NO_MESSAGE,
    lists: [],
    phones: '',
    fallbacks: [],
    when: 'now',
    at: '',
    hours: 0,
    title: '',
  };
}

/** A new fallback starts when 50 seconds have passed without delivery. */
export function emptyFallback(type: SendingType): FallbackValues {
  return { type, payload: NO_MESSAGE, onFailed: false, timeout: 50, reply: '' };
}

/** Pasted numbers end at line ends, commas, semicolons and tabs; spaces belong to a number. */
export function phonesOf(pasted: string): string[] {
  return pasted
    .split(/[\n\r,;\t]+/)
    .map((entry) => entry.trim())
    .filter(Boolean);
}

function payloadOf({ type, payload: { sender, subject, text } }: MessageValues) {
  return { sender: sender.trim(), text, ...(type === 'email' && subject && { subject }) };
}

/** What the form says, as the contract takes it; whether it may be sent is for the schema to say. */
export function toInput(values: SendValues): SendingDraftInput {
  const { type, lists, phones, fallbacks, when, at, hours, title } = values;
  // An unreadable time is passed on: the schema refuses it, and the field shows why.
  const time = new Date(at);
  const delay = Number.isNaN(time.getTime()) ? at || 'later' : time.toISOString();
  return {
    type,
    recipient: { include: [...lists, ...phonesOf(phones)], exclude: [] },
    payload: payloadOf(values),
    fallbacks: fallbacks.map((f) => ({
      type: f.type,
      payload: payloadOf(f),
      options: {
        onStatus: f.onFailed ? ['failed'] : [],
        onTimeout: f.timeout === '' ? null : { timeout: f.timeout, except: ['delivered', 'seen'] },
        onIncomingPayload: f.reply.trim() ? { text: f.reply.trim() } : null,
      },
    })),
    schedule: { delay: when === 'later' ? delay : 0, until: hours },
    ...(title.trim() && { options: { title: title.trim() } }),
  };
}

/** The field of the form that a path of the contract is about. */
export function fieldOf(path: string): string {
  const trigger = /^fallbacks\.(\d+)\.(\$?options)/.exec(path);
  if (trigger) return `fallbacks.${trigger[1]}.trigger`;
  if (path.startsWith('recipient')) return 'recipients';
  if (path === 'schedule.until') return 'hours';
  if (path.startsWith('schedule')) return 'at';
  if (path.startsWith('options')) return 'title';
  return path;
}

/** Broken rules by field; the words are found where they are shown. Empty when all is well. */
export function brokenRules(values: SendValues): Record<string, string> {
  const broken: Record<string, string> = {};
  if (!values.lists.length && !phonesOf(values.phones).length) broken.recipients = 'recipients';
  const checked = SendingInput.safeParse(toInput(values));
  for (const issue of checked.error?.issues ?? []) {
    const rule = (issue.code === 'custom' ? issue.params?.rule : issue.code) as string | undefined;
    broken[fieldOf(issue.path.join('.'))] ??= rule ?? 'other';
  }
  return broken;
}
