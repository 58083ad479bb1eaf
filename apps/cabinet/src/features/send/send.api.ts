import {
  ApiError,
  SendingInput,
  sendings,
  type ResponseOf,
  type Sending,
  type SendingReceipt,
  type Task,
} from '@heliograph/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery, useBalance } from '../../core/account.ts';
import { api } from '../../core/api.ts';
import { errorText, ruleOf } from '../../core/errors.ts';
import { ownResult } from '../../core/own-results.ts';
import { useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { estimateQuery, estimateText, type SendingBody } from '../estimates/estimates.api.ts';
import { fundedBy } from './form/funds.ts';

export type Created = { task: Task } | { receipt: SendingReceipt };

interface Outcome {
  onCreated: (created: Created) => void;
  onRefused?: (error: unknown, body: SendingBody) => void;
}

/** A sending also changes its task, the ledger, the estimate of the next sending, and how many of another bulk can be sent to again. */
const CHANGED = ['sendings', 'tasks', 'billings', 'estimates', 'taskOutcomes'] as const;

/** Sends once, however often it is clicked. */
export function useCreateSending({ onCreated, onRefused }: Outcome) {
  const { t } = useTranslation();
  const { mutate, mutateAsync, isPending, error, data, reset } = useMutationOnce({
    mutationFn: async (body: SendingBody): Promise<Created> => {
      const call = api(sendings.create, { body, query: {} });
      const answer = await ownResult('SendingsBulkCreated', call, toldOf);
      // A list is the answer to `?return=each` alone.
      if (Array.isArray(answer)) throw new TypeError('A list was not asked for');
      return 'state' in answer ? { task: answer } : { receipt: answer };
    },
    onSuccess(created) {
      if (!isRefused(created)) onCreated(created);
    },
    onError: onRefused,
    meta: { invalidates: CHANGED, waitsForRefetch: false, showsErrors: true },
  });
  const { isRestricted } = useSettings().session;
  // The refusal no longer applies once the phone is confirmed.
  useEffect(() => {
    if (!isRestricted) reset();
  }, [isRestricted, reset]);
  const receipt = data && isRefused(data) ? data.receipt : null;
  return {
    send: mutate,
    /** For a form, which shows the refusal itself. */
    sendAsync: mutateAsync,
    isPending,
    error,
    /** The account has to confirm its phone first. */
    needsPhone: codeOf(error, receipt) === 'phone_not_confirmed',
    /** Why a single message was refused after validation, in words. */
    fault:
      receipt &&
      t(`sendings:error.${receipt.code ?? 'unknown'}`, {
        defaultValue: receipt.error ?? t('errors:unknown'),
      }),
  };
}

/** The task of which a notification tells: of two texts, the one that sends to the rest. */
const toldOf = (answer: ResponseOf<typeof sendings.create>): string | null =>
  !Array.isArray(answer) && 'state' in answer
    ? (answer.data.sending?.variants?.tasks.rest ?? answer.id)
    : null;

const codeOf = (error: unknown, receipt: SendingReceipt | null) =>
  error instanceof ApiError ? error.code : receipt?.code;

/** A single message that is refused after validation is answered with a receipt that contains the reason. */
const isRefused = (created: Created): created is { receipt: SendingReceipt } =>
  'receipt' in created && created.receipt.status === 'failed';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The wizard's request as a command line. The token is the reader's own to fill in. */
export function curlOf(origin: string, body: object): string {
  return [
    `curl ${quote(`${origin}/api/sendings`)}`,
    `  -H "Authorization: Bearer $TOKEN"`,
    `  -H 'Content-Type: application/json'`,
    `  --data-raw ${quote(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n');
}

/** The price of a sending of an account while it is written; nothing while it cannot be sent. Once it is sent it is not asked for again. */
export function usePriceOf(body: SendingBody, OwnerId: string, isSent = false) {
  const { t } = useTranslation();
  const { data: me } = useQuery(meQuery);
  const input = JSON.stringify(body);
  const [settled] = useDebouncedValue(input, 500);
  const priced = useMemo(() => {
    const draft = JSON.parse(settled) as SendingBody;
    return Object.keys(brokenSending(draft)).length ? null : draft;
  }, [settled]);
  const query = useQuery({
    ...estimateQuery(priced),
    enabled: !!priced && !isSent,
    placeholderData: priced ? keepPreviousData : undefined,
  });
  // Of another account's money only the estimate knows.
  const own = useBalance().data;
  const funds = me?.OwnerId === OwnerId ? own : undefined;
  const isShown = priced && settled === input && !query.isPlaceholderData;
  const estimate = isShown && query.data ? fundedBy(query.data, funds) : undefined;
  const error = isShown ? query.error : null;
  const formats = useFormats(estimate?.currency);
  const money = estimate && estimateText(t, formats, estimate);
  const text = error
    ? errorText(t, error)
    : estimate?.cap
      ? t('errors:code.spend_cap_reached')
      : !estimate
        ? t('sendings:resend.noPrice')
        : !estimate.enough
          ? t('sendings:resend.notEnough', { money })
          : estimate.balanceAfter === undefined
            ? money!
            : t('sendings:resend.price', { money, after: formats.money(estimate.balanceAfter) });
  return {
    /** What is charged; undefined while that is not known. */
    money,
    /** How many messages that is, and how many recipients get none, by the reason. */
    recipients: estimate?.recipients,
    skipped: estimate?.skipped ?? {},
    /** The price in words, or why the message cannot be sent. */
    text,
    /** Why it cannot be sent. */
    blocked: error || estimate?.enough === false ? text : null,
  };
}

/** The payload of a message, without the address that its full scope adds. */
export function contentOf({ payload: { recipient: _, ...parts } }: Pick<Sending, 'payload'>) {
  return parts;
}

/** The same call as a program would make it: this attempt and what would follow it. */
export function sameAgain(sending: Sending): object {
  const { type, recipient, attempt, fallbacks = [] } = sending;
  const items = fallbacks
    .slice(attempt)
    .map(({ $options: _, audioSeconds: _seconds, ...item }) => item);
  return {
    type,
    recipient,
    payload: contentOf(sending),
    ...(items.length && { fallbacks: items }),
  };
}

/** Broken rules by path of the contract; empty when it can be sent. */
export function brokenSending(input: SendingBody): Record<string, string> {
  const broken: Record<string, string> = {};
  for (const issue of SendingInput.safeParse(input).error?.issues ?? []) {
    broken[issue.path.join('.')] ??= ruleOf(issue);
  }
  return broken;
}
