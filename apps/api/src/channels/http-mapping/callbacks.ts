import { createHash, createHmac } from 'node:crypto';
import { MAX_EXTERNAL_ID } from '@heliograph/contract';
import {
  callSeconds,
  type NumberLookup,
  numberLookup,
  type SendingErrorCode,
} from '@heliograph/domain';

import { isSameSecret } from '../../core/http/same-secret.ts';
import type {
  CarrierCallback,
  CarrierMessage,
  CarrierReport,
  IncomingCallback,
} from '../channel.ts';
import type { CallbackMapping, MappingOptions, NetworkPlace, Proof } from './options.ts';
import { entryOf, textAt, valueAt, valuesAt } from './values.ts';

const MAX_ITEMS = 1_000;
const MAX_TEXT = 10_000;
const MAX_ADDRESS = 254;

/** Whether the carrier made the call: never throws. */
export function isGenuine(options: MappingOptions, call: IncomingCallback): boolean {
  const { callback, callbackSecret: secret } = options;
  if (!callback || !secret) return false;
  const { proof, challenge } = callback;
  if (challenge && !call.body.length && isChallenge(challenge, call.search)) return true;
  switch (proof.kind) {
    case 'query':
      return isSameSecret(new URLSearchParams(call.search).get(proof.name), secret);
    case 'header':
      return isSameSecret(header(call, proof.name)?.replace(/^Bearer /i, ''), secret);
    case 'basic': {
      const wanted = Buffer.from(secret).toString('base64');
      return isSameSecret(header(call, 'authorization')?.replace(/^Basic /i, ''), wanted);
    }
    case 'twilio':
      return isSameSecret(header(call, 'x-twilio-signature'), twilioSignature(options, call));
    default:
      return isSigned(proof, secret, call);
  }
}

/** A question with nothing in it but the challenge and its siblings (`hub.mode`): it can say nothing of messages. */
function isChallenge(name: string, search: string): boolean {
  const names = [...new URLSearchParams(search).keys()];
  const prefix = name.slice(0, name.lastIndexOf('.') + 1);
  const isSibling = (one: string) => one === name || (prefix !== '' && one.startsWith(prefix));
  return names.includes(name) && names.every(isSibling);
}

function isSigned(
  { kind, name, signed, key }: Extract<Proof, { signed: string }>,
  secret: string,
  call: IncomingCallback,
): boolean {
  const given = header(call, name)?.replace(/^sha(1|256)=/, '');
  // The query is not signed: a call without a body has said nothing.
  if (!given || !call.body.length) return false;
  const keyed = key === 'sha256' ? createHash('sha256').update(secret).digest() : secret;
  const hmac = createHmac(kind.slice('hmac-'.length), keyed);
  for (const part of signed.split(/(\{[\w-]{1,100}\})/)) {
    if (part === '{body}') hmac.update(call.body);
    else if (part.startsWith('{')) hmac.update(header(call, part.slice(1, -1)) ?? '');
    else hmac.update(part);
  }
  const digest = hmac.digest();
  return (
    isSameSecret(given.toLowerCase(), digest.toString('hex')) ||
    isSameSecret(given, digest.toString('base64'))
  );
}

/** Of the address as Twilio knows it, and the fields sorted by name, without separators. */
function twilioSignature(
  { callbackUrl, callbackSecret }: MappingOptions,
  { search, body }: IncomingCallback,
): string {
  const pairs = [...new URLSearchParams(body.toString())].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = [callbackUrl, search, ...pairs.flat()].join('');
  return createHmac('sha1', callbackSecret!).update(text).digest('base64');
}

function header({ headers }: IncomingCallback, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

/** The reports and messages of a genuine call. */
export function readCallback(
  mapping: CallbackMapping,
  fields: unknown,
  now: Date,
): CarrierCallback {
  const { challenge, answer } = mapping;
  const asked = challenge ? (fields as Record<string, unknown>)[challenge] : undefined;
  if (asked !== undefined) {
    // No text that a browser could run.
    const isWord = typeof asked === 'string' && /^\w{1,100}$/.test(asked);
    return { reports: [], messages: [], ignored: 0, answer: isWord ? asked : answer };
  }
  const reports: CarrierReport[] = [];
  const messages: CarrierMessage[] = [];
  let ignored = 0;
  for (const one of itemsOf(mapping, fields)) {
    const item: unknown = mapping.lines && typeof one === 'string' ? one.split('\n') : one;
    const status = textAt(item, mapping.status, 100);
    const report = status && reportOf(mapping, item, status, now);
    const message = report ? undefined : messageOf(mapping, item, fields, now);
    if (report) reports.push(report);
    else if (message) messages.push(message);
    else ignored++;
  }
  return { reports, messages, ignored, answer };
}

function itemsOf({ items }: CallbackMapping, fields: unknown): unknown[] {
  const found = items === undefined ? [fields] : items.flatMap((one) => valuesAt(fields, one));
  return found.slice(0, MAX_ITEMS);
}

function reportOf(
  mapping: CallbackMapping,
  item: unknown,
  written: string,
  now: Date,
): CarrierReport | undefined {
  const entry = entryOf(mapping.statuses, written);
  if (!entry || entry === 'ignored') return undefined;
  const reference = textAt(item, mapping.reference, 100);
  const externalId = textAt(item, mapping.id, MAX_EXTERNAL_ID);
  if (!reference && !externalId) return undefined;
  const isStatus = STATUSES.has(entry);
  const status = (isStatus ? entry : 'failed') as CarrierReport['status'];
  const at = timeOf(valueAt(item, mapping.at)) ?? now;
  const lookup = lookupOf(mapping, item);
  const seconds = status === 'delivered' ? callSeconds(valueAt(item, mapping.seconds)) : undefined;
  const told = {
    status,
    ...codeOf(mapping, item, entry),
    ...(lookup && { lookup }),
    ...(seconds !== undefined && { seconds }),
    at,
  };
  return reference ? { reference, ...told } : { externalId: externalId!, ...told };
}

function lookupOf({ lookup }: CallbackMapping, item: unknown): NumberLookup | undefined {
  if (!lookup) return undefined;
  const { network, origin, ported, roaming } = lookup;
  return numberLookup({
    network: networkAt(item, network),
    origin: networkAt(item, origin),
    ported: valueAt(item, ported),
    roaming: valueAt(item, roaming),
  });
}

function networkAt(item: unknown, place: NetworkPlace | undefined): unknown {
  if (place === undefined || typeof place === 'string' || Array.isArray(place))
    return valueAt(item, place);
  const [mcc, mnc] = [textAt(item, place.mcc, 3), textAt(item, place.mnc, 3)];
  return mcc && mnc && `${mcc}-${mnc}`;
}

/** Of a failure: by the carrier's code, else what its status means. */
function codeOf(
  mapping: CallbackMapping,
  item: unknown,
  entry: string,
): { code?: SendingErrorCode; carrierCode?: string } {
  if (entry !== 'failed' && STATUSES.has(entry)) return {};
  const given = textAt(item, mapping.code, 60);
  const carriers = given === undefined ? {} : { carrierCode: given };
  const known = given === undefined ? undefined : entryOf(mapping.codes, given);
  const code = known ?? (STATUSES.has(entry) ? undefined : entry);
  return code === undefined ? carriers : { code: code as SendingErrorCode, ...carriers };
}

const STATUSES: ReadonlySet<string> = new Set([
  'processing',
  'sent',
  'delivered',
  'seen',
  'failed',
]);

function messageOf(
  mapping: CallbackMapping,
  item: unknown,
  whole: unknown,
  now: Date,
): CarrierMessage | undefined {
  const from = textAt(item, mapping.from, MAX_ADDRESS);
  const to = textAt(item, mapping.to, MAX_ADDRESS) ?? textAt(whole, mapping.to, MAX_ADDRESS);
  const said = valueAt(item, mapping.text);
  // Some write the answer `1` as a number.
  const text = typeof said === 'number' ? String(said) : said;
  if (!from || !to || typeof text !== 'string') return undefined;
  const id = textAt(item, mapping.id, MAX_EXTERNAL_ID);
  const at = timeOf(valueAt(item, mapping.at)) ?? now;
  return {
    from,
    to,
    text: text.slice(0, MAX_TEXT).toWellFormed().replaceAll('\0', ''),
    at,
    ...(id && { id }),
  };
}

/** ISO 8601 with a zone, or seconds or milliseconds since 1970; undefined for others, whose zone is not known. */
function timeOf(value: unknown): Date | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (/^\d{10}$|^\d{13}$/.test(text))
    return new Date(Number(text) * (text.length === 10 ? 1000 : 1));
  if (!ZONED.test(text)) return undefined;
  const at = new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(at.getTime()) ? undefined : at;
}
const ZONED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i;
