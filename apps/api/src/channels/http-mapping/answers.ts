import { MAX_EXTERNAL_ID } from '@heliograph/contract';
import type { SendingErrorCode } from '@heliograph/domain';
import { parseExactly } from '../../core/http/exact-json.ts';
import {
  ChannelDown,
  type OutgoingMessage,
  type SubmitResult,
  UnknownOutcome,
} from '../channel.ts';
import { type HttpAnswer, refuseByStatus, RETRY_SOON_MS } from '../http-call.ts';
import type { AnswerMapping, Outcome } from './options.ts';
import { entryOf, readText, textAt, valueAt } from './values.ts';

const MAX_MESSAGE = 500;
/** The account or the settings at the carrier must be mended first. */
const DOWN_MS = 60_000;

/**
 * What an answer says of each message; one without a result has an unknown outcome. Throws ChannelDown when nothing was taken,
 * UnknownOutcome when that is not certain.
 */
export function readVendorAnswer(
  mapping: AnswerMapping,
  batch: OutgoingMessage[],
  answer: HttpAnswer,
): SubmitResult[] {
  const isRefusal = answer.status >= 400;
  if (!mapping.statuses.includes(answer.status)) refuseByStatus(answer);
  const document = documentOf(mapping, answer.body);
  if (document === undefined) {
    // A refusal whose words are not understood is still a refusal.
    if (isRefusal) throw new ChannelDown(`answered ${answer.status}`, DOWN_MS);
    throw new UnknownOutcome('answered something unreadable');
  }
  const results = mapping.items === undefined ? [document] : valueAt(document, mapping.items);
  const isList = typeof results === 'object' && results !== null;
  const isEmpty = isList && Object.keys(results).length === 0;
  // An answer without results speaks of the whole: of an error, as a rule. With an empty list of them it accepts nothing.
  const itemsOfMessage = isList && !isEmpty ? itemsOf(mapping, results, batch) : () => [document];
  const verdicts = batch.flatMap((message, index) => {
    const [first, ...rest] = itemsOfMessage(message, index).map((item) =>
      verdictOf(mapping, item, message.reference, isRefusal),
    );
    if (!first || (isEmpty && first[0]?.result === 'accepted')) return [];
    return ofParts(first, rest);
  });
  const down = verdicts.filter((verdict) => verdict.result === 'down');
  if (down.length === batch.length) throw new ChannelDown(down[0]!.message, DOWN_MS);
  return verdicts.map((verdict) =>
    verdict.result === 'down'
      ? { reference: verdict.reference, result: 'throttled', retryAfter: DOWN_MS }
      : verdict,
  );
}

function documentOf({ text }: AnswerMapping, body: string): unknown {
  if (text) return readText(text, body);
  try {
    const parsed = parseExactly(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Finds the results of a message: by our reference, by its number in an object of results, or by its place. Several are those of its
 * parts.
 */
function itemsOf(
  { reference: pointer }: AnswerMapping,
  items: object,
  batch: OutgoingMessage[],
): (message: OutgoingMessage, index: number) => unknown[] {
  if (!Array.isArray(items)) {
    const byNumber = new Map(
      Object.entries(items).map(([number, item]) => [number.replace(/\D/g, ''), item as unknown]),
    );
    return ({ recipient }) => {
      const item = byNumber.get(recipient.replace(/\D/g, ''));
      return item === undefined ? [] : [item];
    };
  }
  const list: unknown[] = items;
  if (pointer) {
    const byReference = Map.groupBy(list, (item) =>
      textAt(item, pointer, MAX_EXTERNAL_ID)?.toLowerCase(),
    );
    return ({ reference }) => byReference.get(reference.toLowerCase()) ?? [];
  }
  if (batch.length === 1) return () => list;
  return (_, index) => (list.length === batch.length ? [list[index]] : []);
}

/** What became of a message by its parts, as over SMPP: the first decides; behind one that was accepted, it is whole or `partial`. */
function ofParts([first]: Verdict[], rest: Verdict[][]): Verdict[] {
  if (first?.result !== 'accepted' || !rest.length) return first ? [first] : [];
  const missing = rest.flat().find(({ result }) => result !== 'accepted');
  if (missing)
    return [
      {
        reference: first.reference,
        result: 'rejected',
        code: 'partial',
        ...(missing.result === 'rejected' && {
          carrierCode: missing.carrierCode,
          text: missing.text,
        }),
      },
    ];
  if (rest.some((one) => !one.length)) return [];
  const ids = [first, ...rest.flat()].flatMap((one) =>
    one.result === 'accepted' ? (one.externalIds ?? []) : [],
  );
  return [{ ...first, ...(ids.length && { externalIds: ids }) }];
}

type Verdict = SubmitResult | { reference: string; result: 'down'; message: string };

function verdictOf(
  mapping: AnswerMapping,
  item: unknown,
  reference: string,
  isRefusal: boolean,
): Verdict[] {
  const id = textAt(item, mapping.id, MAX_EXTERNAL_ID);
  const code = textAt(item, mapping.code, 100);
  const words = textAt(item, mapping.message, MAX_MESSAGE);
  const known = code === undefined ? undefined : entryOf(mapping.results, code);
  const outcome: Outcome = known ?? (isRefusal ? 'rejected' : id ? 'accepted' : 'unknown');
  switch (outcome) {
    case 'accepted':
      return [{ reference, result: 'accepted', ...(id && { externalIds: [id] }) }];
    case 'throttled':
      return [{ reference, result: 'throttled', retryAfter: RETRY_SOON_MS }];
    case 'down':
      return [
        {
          reference,
          result: 'down',
          message: [...new Set([code, words])].filter(Boolean).join(' ') || 'refused',
        },
      ];
    case 'unknown':
      return [];
    default:
      return [
        {
          reference,
          result: 'rejected',
          code: outcome as SendingErrorCode,
          ...(code && { carrierCode: code }),
          ...(words && { text: words }),
        },
      ];
  }
}
