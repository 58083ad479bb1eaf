import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EFFECTS, type integrations } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { requireAll, systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { refuseChangesOf } from '../../core/changes.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { KeyedEffects } from '../../core/keyed-effects.ts';
import { Quotas } from '../../core/quotas.ts';
import { Retention } from '../../core/retention.ts';
import { IntegrationReportsService } from '../webhooks/integration-reports.service.ts';
import { present, type Integration, type Shown } from './integration.entity.ts';
import { IntegrationSecrets } from './integration-secrets.ts';
import { INTEGRATIONS_QUOTA, IntegrationsStore } from './integrations.store.ts';

type Input = In<typeof integrations.create>['body'];
type Changes = In<typeof integrations.update>['body'];
type WithUrl = { row: Integration; url: string };

/** Fields of one kind, which the other has not. */
const OF_BITRIX24 = ['portal', 'clientId', 'clientSecret'] as const;
const OF_CRM = ['recipient', 'text', 'key'] as const;

@Injectable()
export class IntegrationsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly config: Config,
    private readonly store: IntegrationsStore,
    private readonly secrets: IntegrationSecrets,
    private readonly reports: IntegrationReportsService,
    private readonly owners: Owners,
    private readonly quotas: Quotas,
    private readonly retention: Retention,
    private readonly events: Events,
    private readonly audit: Audit,
    private readonly effects: KeyedEffects,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'integrations',
      async (ids) =>
        this.withReports(
          await this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
        ),
      present,
    );
  }

  /** Ids of messages there are kept as long as reports can be repeated. */
  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('integration_messages', this.config.RETENTION_WEBHOOKS_DAYS);
  }

  async create(actor: Actor, input: Input): Promise<WithUrl> {
    requireAll(actor, EFFECTS.integration.message);
    refuseOther(input.kind, input);
    const { clientSecret, ...values } = input;
    const { OwnerId } = actor;
    if (input.portal) await this.reports.checkAddress(input.portal, 'portal');
    const sealed = clientSecret ? await this.secrets.seal(OwnerId, clientSecret) : null;
    let created: WithUrl | null = null;
    const change = async () => {
      const { secret, hash } = this.secrets.create();
      const row = await this.store.create({
        ...values,
        OwnerId,
        clientSecret: sealed,
        secret: hash,
      });
      await this.quotas.check(INTEGRATIONS_QUOTA, OwnerId);
      if (row.kind === 'bitrix24') await this.reports.create(row);
      await this.audit.record({ OwnerId, target: ['integrations', row.id], after: facts(row) });
      this.events.changed('integrations', 'created', OwnerId, row.id);
      created = { row, url: this.secrets.urlOf(row, secret) };
      return row.id;
    };
    // Nobody has seen the URL of one whose answer was lost with its process.
    return this.effects.run(change, async (id) => created ?? this.withNewUrl(actor, id));
  }

  async update(
    actor: Actor,
    id: string,
    { kind: givenKind, portal, ...changes }: Changes,
  ): Promise<Integration> {
    requireAll(actor, EFFECTS.integration.message);
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      const { OwnerId, kind } = row;
      refuseChangesOf(row, { kind: givenKind, portal });
      refuseOther(kind, changes);
      if (kind === 'crm')
        for (const field of ['recipient', 'text'] as const)
          if (changes[field] === null) throw invalid(field, 'required', 'This field is required');
      const { clientSecret, ...plain } = changes;
      const sealed = clientSecret ? await this.secrets.seal(OwnerId, clientSecret) : null;
      const values = { ...plain, ...(clientSecret !== undefined && { clientSecret: sealed }) };
      const before = facts(row);
      const changed = await this.store.update(actor.scope, id, values);
      // Whoever switches it on again has mended the other side.
      if (changes.isActive && kind === 'bitrix24') await this.reports.resume(row);
      await this.audit.record({
        OwnerId,
        target: ['integrations', id],
        before,
        after: facts(changed),
      });
      this.events.changed('integrations', 'updated', OwnerId, id);
      return changed;
    });
  }

  /** The former URL ends at once. Only for the account itself, which pays for the messages of all who have the URL. */
  rotate(actor: Actor, id: string): Promise<WithUrl> {
    return this.db.transaction(async () => {
      const { OwnerId } = await this.store.lock(actor.scope, id);
      if (OwnerId !== actor.OwnerId)
        throw new AppError('forbidden', 'Only its account can replace the URL of an integration');
      const changed = await this.withNewUrl(actor, id);
      await this.audit.record({ OwnerId, target: ['integrations', id] });
      this.events.changed('integrations', 'updated', OwnerId, id);
      return changed;
    });
  }

  private async withNewUrl(actor: Actor, id: string): Promise<WithUrl> {
    const { secret, hash } = this.secrets.create();
    const row = await this.store.update(actor.scope, id, { secret: hash });
    return { row, url: this.secrets.urlOf(row, secret) };
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(actor.scope, id);
      const { OwnerId } = row;
      await this.audit.record({ OwnerId, target: ['integrations', id], before: facts(row) });
      this.events.changed('integrations', 'removed', OwnerId, id);
      return { id };
    });
  }

  async withReports<R extends Integration>(rows: R[]): Promise<(R & Pick<Shown, 'reports'>)[]> {
    const reports = await this.store.reportsOf(rows.map(({ id }) => id));
    return rows.map((row) => ({ ...row, reports: reports.get(row.id) ?? null }));
  }

  /** The integration of an inbound URL. Whether the id or the secret is wrong is not told. */
  async authenticate(
    { id, secret }: { id: string; secret: string },
    kind: Integration['kind'],
  ): Promise<Integration> {
    const [row] = await this.store.byIds(systemScope, [id]);
    if (!row || row.kind !== kind || !this.secrets.isSame(secret, row.secret))
      throw new AppError('unauthorized', 'The URL of the integration is not valid any more');
    if (!row.isActive) throw new AppError('forbidden', 'The integration is switched off');
    return row;
  }
}

function refuseOther(kind: Integration['kind'], given: Changes | Input): void {
  const others: readonly string[] = kind === 'crm' ? OF_BITRIX24 : OF_CRM;
  for (const field of others)
    if ((given as Record<string, unknown>)[field] != null)
      throw invalid(field, 'unsupported', `An integration of the kind ${kind} has no such field`);
}

/** For the audit log. */
const facts = ({ title, kind, type, sender, portal, clientId, isActive }: Integration) => ({
  title,
  kind,
  type,
  sender,
  portal,
  clientId,
  isActive,
});
