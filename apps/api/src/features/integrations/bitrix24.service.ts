import { Injectable } from '@nestjs/common';
import type { integrations } from '@heliograph/contract';
import { bitrixStatusOf, type WebhookReport } from '@heliograph/domain';
import * as z from 'zod';
import { systemScope } from '../../core/auth/actor.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import {
  IntegrationReportsService,
  type CallResult,
} from '../webhooks/integration-reports.service.ts';
import { InboundService } from './inbound.service.ts';
import type { Integration } from './integration.entity.ts';
import { hashOf, IntegrationSecrets, type PortalAccess } from './integration-secrets.ts';
import { IntegrationsStore } from './integrations.store.ts';

/** The code of our message service in a portal. */
const CODE = 'heliograph';
/** Access that ends sooner is renewed first. */
const RENEW_SECONDS = 60;
/** New access that comes with a message is stored if the stored one ends sooner. */
const KEEP_SECONDS = 1800;

const value = z.string().max(2000);
const Auth = z.object({
  access_token: value.optional(),
  refresh_token: value.optional(),
  expires_in: z.coerce.number().min(0).max(86_400).default(3600),
  client_endpoint: value.optional(),
  application_token: value,
});
type Auth = z.output<typeof Auth>;
const Message = z.object({
  message_id: z.string().min(1).max(200),
  message_to: z.string().max(200),
  message_body: z.string().max(10_000),
});
const Tokens = z.object({
  access_token: value,
  refresh_token: value.optional(),
  expires_in: z.coerce.number().min(0).max(86_400).default(3600),
});

/**
 * A message service of a Bitrix24 portal: a local application of the portal registers it when it is installed, the portal sends its
 * messages to our URL, and gets their statuses by the outbox.
 */
@Injectable()
export class Bitrix24Service {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly store: IntegrationsStore,
    private readonly secrets: IntegrationSecrets,
    private readonly inbound: InboundService,
    private readonly reports: IntegrationReportsService,
    private readonly events: Events,
  ) {
    this.reports.composeBy((id, report, isRepeated) => this.report(id, report, isRepeated));
  }

  async receive(
    row: Integration,
    { params, body }: In<typeof integrations.bitrix24>,
  ): Promise<void> {
    const auth = authOf(body);
    if (body.event === 'ONAPPINSTALL') return this.install(row, auth, params.secret);
    if (!row.applicationToken || !this.secrets.isSame(auth.application_token, row.applicationToken))
      throw new AppError('unauthorized', 'The application token is not that of the portal');
    if (body.event === 'ONAPPUNINSTALL') return this.store.setAccess(row.id, null);
    const message = Message.safeParse(body);
    if (!message.success)
      throw invalid(
        'message_id',
        'required',
        'message_id, message_to and message_body are required',
      );
    await this.keep(row, auth);
    const { message_id: externalId, message_to: recipient, message_body: text } = message.data;
    await this.inbound.noting(row, () => this.inbound.accept(row, { recipient, text, externalId }));
  }

  /** Registers the message service. The portal itself checks the access that came with the call. */
  private install(row: Integration, auth: Auth, secret: string): Promise<void> {
    return this.inbound.noting(row, async () => {
      const { access_token: access, client_endpoint: endpoint } = auth;
      if (!access) throw invalid('auth.access_token', 'no_value', 'The portal sent no access');
      if (endpoint && (!URL.canParse(endpoint) || new URL(endpoint).origin !== row.portal))
        throw invalid('auth.client_endpoint', 'portal', 'The call is of another portal');
      const service = {
        CODE,
        HANDLER: this.secrets.urlOf(row, secret),
        NAME: this.config.TITLE,
        auth: access,
      };
      const added = await this.call(row, 'messageservice.sender.add', { ...service, TYPE: 'SMS' });
      const isKnown = added.error && /ALREADY/i.test(added.response ?? '');
      const result = isKnown
        ? await this.call(row, 'messageservice.sender.update', service)
        : added;
      if (result.error)
        throw new AppError('unavailable', `The portal refused: ${failureOf(result)}`, {
          payload: { reason: failureOf(result) },
        });
      const sealed = await this.secrets.sealAccess(row.OwnerId, this.accessOf(auth, access));
      await this.store.setAccess(row.id, sealed, hashOf(auth.application_token));
      this.events.changed('integrations', 'updated', row.OwnerId, row.id);
    });
  }

  /** Each message brings new access. */
  private async keep(row: Integration, auth: Auth): Promise<void> {
    if (!auth.access_token) return;
    const stored = await this.secrets.accessOf(row);
    const isFresh =
      stored && new Date(stored.expiresAt) > secondsAfter(this.clock.now(), KEEP_SECONDS);
    if (isFresh) return;
    const access = this.accessOf(auth, auth.access_token, stored?.refresh);
    await this.store.setAccess(row.id, await this.secrets.sealAccess(row.OwnerId, access));
  }

  /** The call that reports a status, or the failure of its preparation. Null if there is nothing to report. */
  private async report(id: string, { data }: WebhookReport, isRepeated: boolean) {
    const [row] = await this.store.byIds(systemScope, [id]);
    const status = bitrixStatusOf(String(data.status));
    const externalId = row && (await this.store.externalIdOf(id, String(data.id)));
    if (!row || !externalId || !status) return null;
    const access = await this.validAccess(row, isRepeated);
    if (typeof access !== 'string') return access;
    const body = { CODE, MESSAGE_ID: externalId, STATUS: status, auth: access };
    return {
      method: 'POST' as const,
      url: methodUrl(row, 'messageservice.message.status.update'),
      body: JSON.stringify(body),
    };
  }

  private async validAccess(row: Integration, isRepeated: boolean): Promise<string | CallResult> {
    const stored = await this.secrets.accessOf(row);
    if (!stored) return EXPIRED;
    const isValid = new Date(stored.expiresAt) > secondsAfter(this.clock.now(), RENEW_SECONDS);
    const canRenew = stored.refresh && row.clientId && row.clientSecret;
    if (isValid && !(isRepeated && canRenew)) return stored.access;
    return canRenew ? this.renew(row, stored.refresh!) : EXPIRED;
  }

  private async renew(row: Integration, refresh: string): Promise<string | CallResult> {
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: row.clientId!,
      client_secret: await this.secrets.open(row.OwnerId, row.clientSecret!),
      refresh_token: refresh,
    });
    const { text, ...result } = await this.reports.exchange(
      { method: 'POST', url: this.config.BITRIX24_OAUTH_URL, body: form.toString() },
      { 'content-type': 'application/x-www-form-urlencoded' },
    );
    if (result.error) return result;
    const tokens = Tokens.safeParse(jsonOf(text));
    if (!tokens.success) return { ...result, error: 'invalid_answer' };
    const access = this.accessOf(tokens.data, tokens.data.access_token, refresh);
    await this.store.setAccess(row.id, await this.secrets.sealAccess(row.OwnerId, access));
    return access.access;
  }

  private accessOf(
    { refresh_token: refresh, expires_in: seconds }: Pick<Auth, 'refresh_token' | 'expires_in'>,
    access: string,
    former: string | null = null,
  ): PortalAccess {
    const expiresAt = secondsAfter(this.clock.now(), seconds).toISOString();
    return { access, refresh: refresh ?? former, expiresAt };
  }

  private call(row: Integration, method: string, body: object): Promise<CallResult> {
    return this.reports.exchange(
      { method: 'POST', url: methodUrl(row, method), body: JSON.stringify(body) },
      { 'content-type': 'application/json' },
    );
  }
}

/** What a report gets until the portal sends new access. */
const EXPIRED: CallResult = {
  error: 'status',
  status: 401,
  ms: 0,
  response: null,
  retryAfterMs: null,
};

const methodUrl = ({ portal }: Integration, method: string): string => `${portal}/rest/${method}`;

const failureOf = ({ status, error }: CallResult): string => (status ? `status ${status}` : error!);

function authOf({ auth }: Record<string, unknown>): Auth {
  const parsed = Auth.safeParse(auth);
  if (parsed.success) return parsed.data;
  throw new AppError('unauthorized', 'The call has no application token');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
