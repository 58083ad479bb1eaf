import {
  ChannelDown,
  SECRET_MARK,
  UnknownOutcome,
  type Driver,
  type DriverContext,
  type OutgoingMessage,
  type SubmitResult,
  type Traced,
} from './channel.ts';

/** A call of a carrier as it is logged: without texts and secrets, and of numbers only the end. */
export interface Exchange {
  channel: string;
  at: Date;
  /** What became of most of the messages, or of the call. */
  outcome: SubmitResult['result'] | 'down' | 'unknown';
  /** Of the first messages of the call. */
  references: string[];
  /** The last digits of their numbers. */
  tails: string[];
  messages: number;
  request: string;
  answer: string;
  ms: number;
}

/** Takes what is logged. */
export interface ExchangeLog {
  /** Whether the next call of a channel is logged with what is said. */
  takes(channel: string): boolean;
  /** Whether a call that failed is logged although it was not taken, within a limit of its own. */
  takesFailed(channel: string): boolean;
  add(exchange: Exchange): void;
}

const MAX_TEXT = 2000;
/** Of a long answer the rest is not looked at. */
const MAX_READ = 8000;
/** Messages of a call by which it is found. */
const MAX_REFERENCES = 20;
const TAIL = 4;
const MIN_SECRET = 4;
/** Neither JSON nor an address encodes them. */
const WRITTEN_AS_IT_IS = /^[\w.~-]*$/;

export const tailOf = (recipient: string): string => `…${recipient.slice(-TAIL)}`;

/** The message with nothing that is secret: its length instead of a text, the end instead of a number. */
export function shownMessage(message: OutgoingMessage): OutgoingMessage {
  const hidden = (value: unknown): unknown =>
    typeof value === 'string'
      ? `[${[...value].length}]`
      : Array.isArray(value)
        ? value.map(hidden)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hidden(one)]))
          : value;
  return {
    ...message,
    recipient: tailOf(message.recipient),
    payload: hidden(message.payload) as OutgoingMessage['payload'],
    ...(message.headers && { headers: {} }),
  };
}

/** Replaces what a carrier repeats of the messages, and the secrets of the channel, however they are encoded. */
export function redactor(secrets: readonly string[], batch: readonly OutgoingMessage[]) {
  return (text: string): string => {
    let shown = text.slice(0, MAX_READ);
    const ends = endsIn(shown);
    const found = new Map<string, string>();
    let longest = 0;
    const hideForm = (form: string, by: string) => {
      longest = Math.max(longest, form.length);
      if (ends.has(form)) found.set(form, by);
    };
    const hide = (value: string, by: string) => {
      // Short ones would be found in anything: only as the whole of a value.
      if (value.length < MIN_SECRET) {
        if (value) hideForm(JSON.stringify(value), JSON.stringify(by));
        return;
      }
      hideForm(value, by);
      hideForm(Buffer.from(value).toString('base64'), by);
      if (WRITTEN_AS_IT_IS.test(value)) return;
      hideForm(JSON.stringify(value).slice(1, -1), by);
      const encoded = encodeURIComponent(value.toWellFormed());
      hideForm(encoded, by);
      hideForm(encoded.replaceAll('%20', '+'), by);
    };
    for (const secret of secrets) hide(secret, SECRET_MARK);
    for (const { recipient, payload } of batch) {
      const digits = recipient.replace(/^\+/, '');
      hide(recipient, tailOf(recipient));
      hide(digits, tailOf(recipient));
      // Without the country: ten digits are most numbers.
      hide(digits.slice(-10), tailOf(recipient));
      for (const one of textsOf(payload)) {
        hide(one, SECRET_MARK);
        for (const [code] of one.matchAll(/\d{4,}/g)) hide(code, SECRET_MARK);
      }
    }
    for (const [form, by] of [...found].toSorted(([a], [b]) => b.length - a.length))
      shown = shown.replaceAll(form, by);
    // What was cut could end in the middle of a secret.
    if (text.length > MAX_READ) shown = shown.slice(0, -longest || undefined);
    return shown.slice(0, MAX_TEXT);
  };
}

/** Lengths of ends by which forms are looked up: most have the longer one, and no form is shorter than the other. */
const END = 8;
const SHORT_END = 3;

/** Tells of forms, which are tens of thousands for a call of a thousand messages, those of which not even the end is in a text. */
function endsIn(text: string): { has(form: string): boolean } {
  const ends = new Set<string>();
  for (const n of [SHORT_END, END])
    for (let i = 0; i + n <= text.length; i++) ends.add(text.slice(i, i + n));
  return { has: (form) => ends.has(form.slice(-(form.length < END ? SHORT_END : END))) };
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** All texts among the options that are not public, also inside of others, and as the pairs of a basic authorization. */
export function secretsOf(
  options: Record<string, unknown>,
  isPublic: (name: string) => boolean,
): string[] {
  const named = Object.entries(options);
  const secrets = named.flatMap(([name, value]) => (isPublic(name) ? [] : textsOf(value)));
  const short = named.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
  return [...secrets, ...secrets.flatMap((secret) => short.map((user) => `${user}:${secret}`))];
}

/** `send` of a driver, whose calls are logged. */
export function logged(
  channel: string,
  driver: Driver,
  secrets: readonly string[],
  log: ExchangeLog,
): Driver['send'] {
  const send = driver.send.bind(driver);
  return async (batch, context) => {
    const isTaken = log.takes(channel);
    const parts: Traced[] = [];
    const trace: DriverContext['trace'] = isTaken ? (part) => void parts.push(part()) : undefined;
    const started = Date.now();
    const note = (outcome: Exchange['outcome'], said: string) => {
      if (!isTaken && (outcome === 'accepted' || !log.takesFailed(channel))) return;
      const redact = redactor(secrets, batch);
      const of = (name: keyof Traced) => parts.flatMap((part) => part[name] ?? []).join('\n');
      const shown = batch.slice(0, MAX_REFERENCES);
      log.add({
        channel,
        at: context.now,
        outcome,
        references: shown.map(({ reference }) => reference),
        tails: shown.map(({ recipient }) => recipient.slice(-TAIL)),
        messages: batch.length,
        request: parts.length ? redact(of('request')) : shown.map(summary).join('\n'),
        answer: redact([of('answer'), said].filter(Boolean).join('\n')),
        ms: Date.now() - started,
      });
    };
    try {
      const results = await send(batch, { ...context, trace });
      note(
        outcomeOf(batch, results),
        parts.length ? '' : results.slice(0, MAX_REFERENCES).map(said).join('\n'),
      );
      return results;
    } catch (error) {
      // Unexpected errors may contain anything.
      const isKnown = error instanceof ChannelDown || error instanceof UnknownOutcome;
      note(
        error instanceof ChannelDown ? 'down' : 'unknown',
        isKnown ? error.message : (error as Error).name,
      );
      throw error;
    }
  };
}

const summary = ({ reference, type, sender, recipient, segments }: OutgoingMessage): string =>
  `${reference} ${type} ${sender} ${tailOf(recipient)} ${segments}`;

function said(result: SubmitResult): string {
  const ids = result.result === 'accepted' ? (result.externalIds ?? []) : [];
  const why = result.result === 'rejected' ? [result.code, result.carrierCode, result.text] : [];
  return [result.result, ...ids, ...why].filter((one) => one !== undefined).join(' ');
}

/** The worst of the results; messages without one are of an unknown outcome. */
function outcomeOf(batch: OutgoingMessage[], results: SubmitResult[]): Exchange['outcome'] {
  const found = new Set(results.map(({ result }) => result));
  for (const result of ['rejected', 'throttled', 'unsent'] as const)
    if (found.has(result)) return result;
  return results.length < batch.length ? 'unknown' : 'accepted';
}
