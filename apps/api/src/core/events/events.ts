import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  COALESCE_MS,
  MAX_ENTITIES,
  type Change,
  type EventBody,
  type Level,
  type Resource,
  type Resources,
} from '@heliograph/contract';
import { Audit } from '../audit/audit.ts';
import { SYSTEM_OWNER } from '../auth/actor.ts';
import { Db } from '../db/db.ts';
import { Log } from '../log.ts';
import { Owners } from '../auth/owners.ts';
import { Rooms } from './rooms.ts';

interface Presenter {
  load: (ids: string[]) => Promise<{ id: string }[]>;
  shape: (row: never, level: Level) => unknown;
  isBatched: boolean;
}

interface Pending {
  resource: Resource;
  change: Change;
  OwnerId: string;
  ids: Set<string>;
  /** Number of further changes, by group. */
  groups: Map<string | null, number>;
}

/**
 * Emits changes to the sockets of users who may see them, after the commit, and after one of which nothing tells whether it was done.
 * Best effort: data that must arrive is stored in a row. Up to 16 entities per owner and 250 ms are sent with their contents, more only as a count; clients refetch.
 */
@Injectable()
export class Events implements OnApplicationShutdown {
  private readonly presenters = new Map<Resource, Presenter>();
  private readonly pending = new Map<string, Pending>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly db: Db,
    private readonly owners: Owners,
    private readonly rooms: Rooms,
    private readonly audit: Audit,
    private readonly log: Log,
  ) {}

  /**
   * Registers how rows of a resource are loaded and how they are presented to a level. `isBatched` rows are written for several
   * requests at once, so their changes belong to no single request in the audit log.
   */
  present<R extends Resource, Row extends { id: string }>(
    resource: R,
    load: (ids: string[]) => Promise<Row[]>,
    shape: (row: Row, level: Level) => Resources[R],
    { isBatched = false } = {},
  ): void {
    this.presenters.set(resource, { load, shape, isBatched });
  }

  changed(resource: Resource, change: Change, OwnerId: string, id: string): void {
    if (OwnerId === SYSTEM_OWNER) return;
    if (!this.isBatched(resource)) this.audit.changed(resource, OwnerId, id);
    this.db.afterPossibleCommit(() => this.entry(resource, change, OwnerId).ids.add(id));
  }

  /** Many rows of one group, sent as a count. */
  counted(
    resource: Resource,
    change: Change,
    OwnerId: string,
    groupId: string | null,
    count: number,
  ): void {
    if (OwnerId === SYSTEM_OWNER) return;
    if (!this.isBatched(resource)) this.audit.changed(resource, OwnerId, groupId, count);
    this.db.afterPossibleCommit(() => {
      const { groups } = this.entry(resource, change, OwnerId);
      groups.set(groupId, (groups.get(groupId) ?? 0) + count);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.flush();
    clearTimeout(this.timer);
    await this.rooms.close();
  }

  private isBatched(resource: Resource): boolean {
    return this.presenters.get(resource)?.isBatched === true;
  }

  private entry(resource: Resource, change: Change, OwnerId: string): Pending {
    const key = `${resource}.${change} ${OwnerId}`;
    let pending = this.pending.get(key);
    if (!pending) {
      pending = { resource, change, OwnerId, ids: new Set(), groups: new Map() };
      this.pending.set(key, pending);
    }
    this.timer ??= setTimeout(() => void this.flush(), COALESCE_MS);
    return pending;
  }

  private async flush(): Promise<void> {
    const all = [...this.pending.values()];
    this.pending.clear();
    this.timer = undefined;
    for (const group of Map.groupBy(all, (pending) => pending.resource).values()) {
      const rows = await this.loadRows(group).catch((error: unknown) => error as Error);
      for (const pending of group) {
        await this.send(pending, rows).catch((error: unknown) => {
          this.log.warn({ err: error }, 'failed to send an event; its count will be sent');
          this.putBack(pending);
        });
      }
    }
  }

  private async loadRows(group: Pending[]): Promise<Map<string, { id: string }>> {
    const ids = group.flatMap((pending) => (isPresented(pending) ? [...pending.ids] : []));
    if (!ids.length) return new Map();
    const rows = await this.presenters.get(group[0]!.resource)!.load(ids);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** After a failed load or presentation the changes are sent as a count, so that clients refetch. */
  private putBack({ resource, change, OwnerId, ids, groups }: Pending): void {
    const again = this.entry(resource, change, OwnerId).groups;
    if (ids.size) again.set(null, (again.get(null) ?? 0) + ids.size);
    for (const [groupId, n] of groups) again.set(groupId, (again.get(groupId) ?? 0) + n);
  }

  private async send(pending: Pending, rows: Map<string, { id: string }> | Error): Promise<void> {
    const { resource, change, OwnerId, ids, groups } = pending;
    const name = `${resource}.${change}`;
    const targets = this.rooms.of(resource, OwnerId, await this.owners.managersOf(OwnerId));
    if (ids.size > MAX_ENTITIES) groups.set(null, (groups.get(null) ?? 0) + ids.size);
    else if (ids.size && change === 'removed') {
      for (const { rooms } of targets) this.rooms.emit(rooms, name, { ids: [...ids] });
    } else if (ids.size) {
      if (rows instanceof Error) throw rows;
      const { shape } = this.presenters.get(resource)!;
      const own = [...ids].flatMap((id) => rows.get(id) ?? []);
      for (const { level, rooms } of targets) {
        const items = own.map((row) => shape(row as never, level));
        if (items.length) this.rooms.emit(rooms, name, { items });
      }
    }
    const everyone = targets.flatMap((t) => t.rooms);
    for (const [groupId, count] of groups)
      this.rooms.emit(everyone, name, { groupId, count } satisfies EventBody);
  }
}

/** Whether the entities themselves are sent, not their ids or their count. */
const isPresented = ({ change, ids }: Pending): boolean =>
  change !== 'removed' && ids.size > 0 && ids.size <= MAX_ENTITIES;
