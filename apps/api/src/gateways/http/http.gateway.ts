import { carrierPhone } from '@heliograph/domain';
import { z } from 'zod';
import { retryAfterMs } from '../../core/http/retry-after.ts';
import {
  fetchService,
  unavailable,
  type ServiceRequest,
  type ServiceResponse,
} from '../../core/http/service-client.ts';
import type { Gateway, GatewayAnswer, GatewaySettings, InstanceRef } from '../gateway.ts';
import { eventOf, linkState } from './events.ts';

const TIMEOUT_MS = 15_000;
/** A QR code as an image takes the most. */
const MAX_BYTES = 512 * 1024;
const MAX_LIST_BYTES = 8 * 1024 * 1024;
const RETRY_MS = 30_000;
/** Seconds for which `receiveNotification` waits for an event: the shortest time that such gateways have. */
const RECEIVE_SECONDS = 5;
/** Errors before anything was sent. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

const Credentials = z.object({
  idInstance: z.union([z.number(), z.string()]),
  apiTokenInstance: z.string(),
  name: z.string().nullish(),
});
const Settings = z.object({ stateInstance: z.string(), phone: z.string().nullish() });
const Qr = z.object({
  type: z.string(),
  message: z.string().optional(),
  code: z.string().max(2000).optional(),
});
const Sent = z.object({ idMessage: z.string().max(200) });

/** A gateway with the interface of GREEN-API; the simulated one has the same. */
export function openHttpGateway({ url, token }: GatewaySettings): Gateway {
  const call = (path: string, request: Partial<ServiceRequest> = {}) =>
    fetchService(`${url}${path}`, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, ...request });
  const post = (body: object): Partial<ServiceRequest> => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const of = ({ id, token: own }: InstanceRef, method: string, rest = '') =>
    `/waInstance${encodeURIComponent(id)}/${method}/${encodeURIComponent(own)}${rest}`;
  const partner = (method: string) => `/partner/${method}/${token}`;
  return {
    async create(name) {
      return refOf(read(Credentials, await call(partner('createInstance'), post({ name }))));
    },
    async find(name) {
      const answer = await call(partner('getInstances'), { maxBytes: MAX_LIST_BYTES });
      const known = read(z.array(Credentials), answer).find((one) => one.name === name);
      return known ? refOf(known) : null;
    },
    async remove(id) {
      const answer = await call(partner('deleteInstanceAccount'), post({ idInstance: id }));
      if (answer.status !== 200 && answer.status !== 404)
        throw unavailable(`the gateway answered ${answer.status}`);
    },
    async state(instance) {
      const answer = await call(of(instance, 'getWaSettings'));
      if (answer.status === 401 || answer.status === 404) return { state: 'deleted', phone: null };
      const { stateInstance, phone } = read(Settings, answer);
      const state = linkState(stateInstance);
      if (!state) throw unavailable(`the instance is ${stateInstance.slice(0, 40)}`);
      return { state, phone: phone ? carrierPhone(phone) : null };
    },
    async qr(instance) {
      const { type, message = '', code } = read(Qr, await call(of(instance, 'qr')));
      if (type === 'alreadyLogged') return { type: 'authorized' };
      if (/device[ _-]?link/i.test(message)) return { type: 'refused', reason: 'device_link_beta' };
      if (type !== 'qrCode') throw unavailable(`no code: ${message.slice(0, 100)}`);
      return { type: 'code', code: code ?? null, image: code ? null : imageIn(message) };
    },
    async logout(instance) {
      const answer = await call(of(instance, 'logout'));
      if (answer.status !== 200) throw unavailable(`the gateway answered ${answer.status}`);
    },
    async send(instance, { to, text }) {
      const body = { chatId: `${to.slice(1)}@c.us`, message: text };
      try {
        return answerOf(await call(of(instance, 'sendMessage'), post(body)));
      } catch (error) {
        const reason = (error as { detail?: { cause?: string } }).detail?.cause ?? '';
        return NEVER_CONNECTED.test(reason) ? { result: 'down', reason } : { result: 'lost' };
      }
    },
    async receive(instance) {
      const path = of(instance, 'receiveNotification', `?receiveTimeout=${RECEIVE_SECONDS}`);
      return eventOf(read(z.unknown(), await call(path)));
    },
    async acknowledge(instance, receipt) {
      const path = of(instance, 'deleteNotification', `/${encodeURIComponent(receipt)}`);
      await call(path, { method: 'DELETE' });
    },
  };
}

const refOf = ({ idInstance, apiTokenInstance }: z.output<typeof Credentials>): InstanceRef => ({
  id: String(idInstance),
  token: apiTokenInstance,
});

/** The answer has neither headers nor body in errors: both may hold secrets. */
function read<S extends z.ZodType>(schema: S, { status, bytes }: ServiceResponse): z.output<S> {
  if (status !== 200) throw unavailable(`the gateway answered ${status}`);
  const parsed = schema.safeParse(jsonIn(bytes));
  if (!parsed.success) throw unavailable('the answer of the gateway is unreadable');
  return parsed.data;
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function answerOf({ status, headers, bytes }: ServiceResponse): GatewayAnswer {
  if (status === 200) {
    const sent = Sent.safeParse(jsonIn(bytes));
    return sent.success
      ? { result: 'accepted', externalId: sent.data.idMessage }
      : { result: 'lost' };
  }
  // 466: the quota of the gateway's own tariff is used up.
  if (status === 429 || status === 466)
    return {
      result: 'throttled',
      retryAfter: retryAfterMs(headers.get('retry-after')) ?? RETRY_MS,
    };
  if (status === 401 || status === 403 || status === 404)
    return { result: 'rejected', code: 'instance_not_authorized' };
  return status >= 500 ? { result: 'lost' } : { result: 'rejected', code: 'invalid_payload' };
}

/** Null unless it is base64 of a PNG. */
const imageIn = (text: string): string | null =>
  /^iVBORw0KGgo[A-Za-z0-9+/]*={0,2}$/.test(text) ? text : null;
