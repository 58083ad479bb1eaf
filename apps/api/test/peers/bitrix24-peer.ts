import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Called {
  method: string;
  body: Record<string, string>;
}

/** A Bitrix24 portal with its authorization server: installs an application, sends messages, takes statuses. */
export class Bitrix24Peer {
  readonly calls: Called[] = [];
  readonly applicationToken = 'application-token-of-the-portal';
  readonly credentials = { clientId: 'local.1', clientSecret: 'secret-of-the-application' };
  url = '';
  /** Refuses every call with this status. */
  refusal: number | null = null;
  private senders = new Map<string, string>();
  private access = 'access-1';
  private refresh = 'refresh-1';
  private renewals = 1;
  private server?: Server;

  async start(): Promise<this> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const [status, json] = this.answer(request.url!, Buffer.concat(chunks).toString());
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(json));
      });
    });
    await new Promise<void>((done) => this.server!.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server!.address() as AddressInfo).port}`;
    return this;
  }

  stop(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  /** The access that calls carry ends, as it does after an hour. */
  endAccess(): void {
    this.access = 'ended';
  }

  /** What the portal posts to the URL of the local application when it is installed. */
  install(url: string, changes: Record<string, string> = {}): Promise<Response> {
    return post(url, { event: 'ONAPPINSTALL', 'data[VERSION]': '1', ...this.auth(), ...changes });
  }

  uninstall(url: string): Promise<Response> {
    return post(url, { event: 'ONAPPUNINSTALL', ...this.auth() });
  }

  /** The registered URL has the name of the installation, which the tests do not resolve. */
  relocate(url: string): void {
    this.senders.set('heliograph', url);
  }

  /** An employee sends a message from a card of the portal. */
  send(messageId: string, text: string, changes: Record<string, string> = {}): Promise<Response> {
    const handler = this.senders.get('heliograph');
    if (!handler) throw new Error('No message service is registered');
    return post(handler, {
      module_id: 'crm',
      type: 'SMS',
      code: 'heliograph',
      message_id: messageId,
      message_to: '+79990000001',
      message_body: text,
      'bindings[0][OWNER_TYPE_ID]': '1',
      ...this.auth(),
      ...changes,
    });
  }

  statuses(): string[] {
    return this.calls
      .filter(({ method }) => method === 'messageservice.message.status.update')
      .map(({ body }) => `${body.MESSAGE_ID} ${body.STATUS}`);
  }

  private auth(): Record<string, string> {
    return {
      'auth[access_token]': this.access,
      'auth[expires_in]': '3600',
      'auth[domain]': new URL(this.url).host,
      'auth[client_endpoint]': `${this.url}/rest/`,
      'auth[refresh_token]': this.refresh,
      'auth[application_token]': this.applicationToken,
    };
  }

  private answer(url: string, text: string): [number, unknown] {
    if (this.refusal) return [this.refusal, { error: 'INTERNAL' }];
    if (url === '/oauth/token/') return this.renew(new URLSearchParams(text));
    const method = url.replace('/rest/', '');
    const body = JSON.parse(text) as Record<string, string>;
    this.calls.push({ method, body });
    if (body.auth !== this.access) return [401, { error: 'expired_token' }];
    if (method === 'messageservice.sender.add') {
      if (this.senders.has(body.CODE!)) return [400, { error: 'ERROR_SENDER_ALREADY_INSTALLED' }];
      this.senders.set(body.CODE!, body.HANDLER!);
    }
    if (method === 'messageservice.sender.update') this.senders.set(body.CODE!, body.HANDLER!);
    return [200, { result: true }];
  }

  private renew(form: URLSearchParams): [number, unknown] {
    const { clientId, clientSecret } = this.credentials;
    const isRight =
      form.get('grant_type') === 'refresh_token' &&
      form.get('refresh_token') === this.refresh &&
      form.get('client_id') === clientId &&
      form.get('client_secret') === clientSecret;
    if (!isRight) return [400, { error: 'invalid_grant' }];
    this.renewals++;
    this.access = `access-${this.renewals}`;
    this.refresh = `refresh-${this.renewals}`;
    return [200, { access_token: this.access, refresh_token: this.refresh, expires_in: 3600 }];
  }
}

const post = (url: string, fields: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
