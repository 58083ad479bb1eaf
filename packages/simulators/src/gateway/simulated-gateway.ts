import { parsePhone } from '@heliograph/domain';
import type { SimulatedParty, SimulatedRequest, SimulatedResponse } from '../http.ts';
import { phonePage } from './phone-page.ts';
import {
  dueEvent,
  newSimulatedInstance,
  scanCode,
  sendFromPhone,
  sleepPhone,
  unlinkPhone,
  wakePhone,
  withCode,
  withoutEvent,
  writeToPhone,
  type SimulatedInstance,
} from './simulated-phone.ts';

/** Where a host keeps the instances. */
export interface GatewayStore {
  add(instance: SimulatedInstance): Promise<void>;
  byKey(key: string): Promise<SimulatedInstance | undefined>;
  get(id: string): Promise<SimulatedInstance | undefined>;
  /** The newest ones. */
  all(): Promise<SimulatedInstance[]>;
  remove(id: string): Promise<void>;
  /** Replaces an instance by what `change` makes of it, one change at a time; null leaves it. Undefined if there is none. */
  change(
    id: string,
    change: (instance: SimulatedInstance) => SimulatedInstance | null,
  ): Promise<SimulatedInstance | null | undefined>;
}

export interface GatewayHost {
  store: GatewayStore;
  newId: () => string;
  now: () => number;
  /** Address of this server for browsers, without a slash at the end. */
  baseUrl: string;
  /** Whether the token of the partner is right. */
  isPartner: (token: string) => boolean;
  isSameToken: (given: string, wanted: string) => boolean;
}

const NOT_FOUND: SimulatedResponse = { status: 404, json: { message: 'Not found' } };
const UNAUTHORIZED: SimulatedResponse = { status: 401, json: { message: 'Unauthorized' } };
const INVALID: SimulatedResponse = { status: 400, json: { message: 'Invalid request' } };
const ok = (json: unknown): SimulatedResponse => ({ status: 200, json });

/**
 * A gateway of WhatsApp instances with simulated phones, over HTTP in the format that such gateways use. Its hosts are the API of a demo
 * installation and a process of its own.
 */
export class SimulatedGateway implements SimulatedParty {
  private readonly host: GatewayHost;

  constructor(host: GatewayHost) {
    this.host = host;
  }

  async respond(request: SimulatedRequest): Promise<SimulatedResponse> {
    const [, area = '', method = '', token = '', rest] = request.path.split('/');
    if (area === 'phone') return this.page(request, method);
    if (area === 'partner') return this.partner(request, method, token);
    const id = area.startsWith('waInstance') ? area.slice('waInstance'.length) : '';
    const instance = id ? await this.host.store.get(id) : undefined;
    if (!instance) return NOT_FOUND;
    if (!this.host.isSameToken(token, instance.token)) return UNAUTHORIZED;
    return this.call(request, `${request.method} ${method}`, instance, rest);
  }

  private async partner(
    { method, body }: SimulatedRequest,
    action: string,
    token: string,
  ): Promise<SimulatedResponse> {
    if (!this.host.isPartner(token)) return UNAUTHORIZED;
    const { store, newId } = this.host;
    if (method === 'POST' && action === 'createInstance') {
      const name = textOf(body, 'name', 100);
      const instance = newSimulatedInstance({ id: newId(), token: newId(), key: newId(), name });
      await store.add(instance);
      return ok(credentialsOf(instance));
    }
    if (method === 'GET' && action === 'getInstances')
      return ok((await store.all()).map(credentialsOf));
    if (method === 'POST' && action === 'deleteInstanceAccount') {
      await store.remove(textOf(body, 'idInstance', 100));
      return ok({ deleteInstanceAccount: true });
    }
    return NOT_FOUND;
  }

  private async call(
    { body }: SimulatedRequest,
    action: string,
    of: SimulatedInstance,
    rest: string | undefined,
  ): Promise<SimulatedResponse> {
    const { store, now } = this.host;
    switch (action) {
      case 'GET getStateInstance':
        return ok({ stateInstance: of.state });
      case 'GET getWaSettings':
        return ok({ stateInstance: of.state, phone: of.phone ?? '' });
      case 'GET qr':
        return this.qr(of);
      case 'GET logout':
        await store.change(of.id, (one) => unlinkPhone(one, now()));
        return ok({ isLogout: true });
      case 'POST sendMessage':
        return this.send(of.id, body);
      case 'GET receiveNotification':
        return ok(presentEvent(dueEvent(of, now())));
      case 'DELETE deleteNotification':
        await store.change(of.id, (one) => withoutEvent(one, Number(rest)));
        return ok({ result: true });
      default:
        return NOT_FOUND;
    }
  }

  private async qr(of: SimulatedInstance): Promise<SimulatedResponse> {
    if (of.state !== 'notAuthorized')
      return ok({ type: 'alreadyLogged', message: 'instance account already authorized' });
    const { store, now, newId, baseUrl } = this.host;
    const before = of.isBeta;
    const after = await store.change(of.id, (one) =>
      withCode({ ...one, isBeta: false }, newId().replaceAll('-', ''), now()),
    );
    if (before) return ok({ type: 'error', message: 'device-link-beta' });
    return ok({ type: 'qrCode', code: `${baseUrl}/phone/${of.key}?code=${after!.code}` });
  }

  private async send(id: string, body: Record<string, unknown>): Promise<SimulatedResponse> {
    const to = /^(\d{5,20})@c\.us$/.exec(textOf(body, 'chatId', 40))?.[1];
    const text = textOf(body, 'message', 20_000);
    if (!to || !text) return INVALID;
    const { store, now, newId } = this.host;
    const idMessage = newId();
    const sent = await store.change(id, (one) =>
      sendFromPhone(one, { id: idMessage, to, text }, now()),
    );
    return sent
      ? ok({ idMessage })
      : { status: 403, json: { message: 'The instance is not authorized' } };
  }

  private async page(
    { method, query, body }: SimulatedRequest,
    key: string,
  ): Promise<SimulatedResponse> {
    const found = await this.host.store.byKey(key);
    if (!found) return NOT_FOUND;
    if (method !== 'POST')
      return { status: 200, html: phonePage(found, String(query.code ?? '').slice(0, 64), null) };
    const changed = await this.host.store.change(found.id, (one) => this.act(one, body));
    const notice = changed ? null : 'This is not possible now; a code may have expired.';
    return { status: 200, html: phonePage(changed ?? found, '', notice) };
  }

  private act(of: SimulatedInstance, body: Record<string, unknown>): SimulatedInstance | null {
    const now = this.host.now();
    const phoneIn = (name: string) =>
      parsePhone(textOf(body, name, 40), 'RU')?.phone.slice(1) ?? null;
    switch (body.action) {
      case 'scan': {
        const phone = phoneIn('phone');
        const code = textOf(body, 'code', 64);
        return phone ? scanCode(of, { code, phone, isBeta: body.isBeta === '1' }, now) : null;
      }
      case 'sleep':
        return sleepPhone(of, now);
      case 'wake':
        return wakePhone(of, now);
      case 'unlink':
        return unlinkPhone(of, now);
      case 'write': {
        const [from, text] = [phoneIn('from'), textOf(body, 'text', 1000)];
        return from && text ? writeToPhone(of, { id: this.host.newId(), from, text }, now) : null;
      }
      default:
        return null;
    }
  }
}

function textOf(body: Record<string, unknown>, name: string, max: number): string {
  const value = body[name];
  return typeof value === 'string' ? value.slice(0, max) : '';
}

const credentialsOf = ({ id, token, name }: SimulatedInstance) => ({
  idInstance: id,
  apiTokenInstance: token,
  name,
  typeInstance: 'whatsapp',
});

const presentEvent = (event: ReturnType<typeof dueEvent>) =>
  event ? { receiptId: event.receiptId, body: event.body } : null;
