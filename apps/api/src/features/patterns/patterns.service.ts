import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Level, Pattern as Wire, patterns } from '@heliograph/contract';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Quotas } from '../../core/quotas.ts';
import { audited, present, type Pattern } from './pattern.entity.ts';
import { PATTERNS_QUOTA, PatternsStore } from './patterns.store.ts';

type Input = In<typeof patterns.create>['body'];
type Changes = In<typeof patterns.update>['body'];

/** Templates registered with operators. `TemplatesService.groupsOf` classifies messages by them. */
@Injectable()
export class PatternsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: PatternsStore,
    private readonly owners: Owners,
    private readonly events: Events,
    private readonly audit: Audit,
    private readonly quotas: Quotas,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'patterns',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  /** The presented patterns of an account. */
  async ofOwner(OwnerId: string, level: Level): Promise<Wire[]> {
    const rows = await this.owners.withOwners(level, await this.store.ofOwner(OwnerId));
    return rows.map((row) => present(row, level));
  }

  create(input: Input): Promise<Pattern> {
    return this.db.transaction(async () => {
      const row = await this.store.create(input);
      await this.quotas.check(PATTERNS_QUOTA, row.OwnerId);
      await this.record('created', row, { after: audited(row) });
      return row;
    });
  }

  update(actor: Actor, id: string, changes: Changes): Promise<Pattern> {
    return this.db.transaction(async () => {
      const before = audited(await this.store.lock(actor.scope, id));
      const row = await this.store.update(actor.scope, id, changes);
      await this.record('updated', row, { before, after: audited(row) });
      return row;
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(actor.scope, id);
      await this.record('removed', { ...row, id }, { before: audited(row) });
      return { id };
    });
  }

  private async record(
    change: 'created' | 'updated' | 'removed',
    { OwnerId, id }: Pattern,
    states: { before?: object; after?: object },
  ): Promise<void> {
    await this.audit.record({ OwnerId, target: ['patterns', id], ...states });
    this.events.changed('patterns', change, OwnerId, id);
  }
}
