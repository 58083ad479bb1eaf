import { Injectable } from '@nestjs/common';
import {
  contract,
  notifications,
  RESOURCES,
  RESYNC,
  settingsUser,
  USER_FIELD_PERMISSIONS,
  type Endpoint,
  type Level,
  type Permission,
  type Resource,
} from '@heliograph/contract';
import { Emitter } from '@socket.io/redis-emitter';
import type { Redis } from 'ioredis';
import { isNarrowed, may, readsMoney, type Actor } from '../auth/actor.ts';
import type { AccountManagers } from '../auth/owners.ts';
import { Config } from '../config.ts';
import { Log } from '../log.ts';
import { channelName, FAIL_FAST, openRedis, redisPrefix } from '../redis.ts';
import { RecentRooms } from './recent-rooms.ts';

/** Sent between API processes with the ids of ended sessions. */
export const SESSIONS_ENDED = 'sessions.ended';

/** Sent between API processes with the ids of sessions whose users may do something else now. */
export const RIGHTS_CHANGED = 'rights.changed';

const RESOURCE_NAMES = Object.keys(RESOURCES) as Resource[];

const reads = (actor: Actor, { can, accept }: Pick<Endpoint, 'can' | 'accept'>) =>
  may(actor, can as Permission, accept);

/** Events have all fields of a level: the socket of a narrowed actor receives those of a resource only if it may read these, too. */
const EVENT_PERMISSIONS: Partial<Record<Resource, Permission>> = {
  users: USER_FIELD_PERMISSIONS.balance,
  conversations: 'sendings.get',
};
const receives = (actor: Actor, resource: Resource) => {
  const needed = isNarrowed(actor) && EVENT_PERMISSIONS[resource];
  return reads(actor, contract[resource].find) && (!needed || may(actor, needed));
};

/**
 * Rooms by level, owner and resource, so that fields of managers are never sent to customers. A socket joins the rooms of
 * those resources that its user may list.
 */
@Injectable()
export class Rooms {
  private readonly redis: Redis;
  private readonly emitter: Emitter;
  private readonly recent: RecentRooms;

  constructor(config: Config, log: Log) {
    this.redis = openRedis(config, log, FAIL_FAST);
    const client = {
      publish: (channel: string, message: string | Buffer) => {
        this.redis.publish(channel, message).catch(() => undefined);
      },
    };
    const key = channelName(config, this.redis, 'socket.io');
    this.emitter = new Emitter(client as never, { key });
    this.recent = new RecentRooms(this.redis, `${redisPrefix(config)}rooms:`);
    // Events published while Redis was unavailable, or before a restart of this process, are lost.
    this.redis.on('ready', () => this.broadcast(RESYNC));
  }

  /** The sockets of a session in all processes. */
  static session(sessionId: string): string {
    return `session:${sessionId}`;
  }

  /** The sockets of a user, for events that are not shown to the account's managers. */
  static person(userId: string): string {
    return `user:${userId}`;
  }

  /** Those of them that may read what is told of money. */
  static money(userId: string): string {
    return `money:${userId}`;
  }

  /** The sockets of a user, without those of sessions opened by login-as. */
  static settings(userId: string): string {
    return `settings:${userId}`;
  }

  /** The rooms a socket joins. */
  static joinedBy(actor: Actor): string[] {
    const { level, OwnerId, scope, userId, sessionId, mustSetUpSecondFactor } = actor;
    if (mustSetUpSecondFactor) return [Rooms.session(sessionId)];
    const prefixes = [`${level}:${OwnerId}`];
    if (scope.kind === 'all') prefixes.push('manager:*');
    if (scope.kind === 'manager') prefixes.push(`manager:${userId}`);
    const readable = RESOURCE_NAMES.filter((resource) => receives(actor, resource));
    const rooms = readable.flatMap((resource) => prefixes.map((prefix) => `${prefix}:${resource}`));
    if (reads(actor, notifications.find)) {
      rooms.push(Rooms.person(userId));
      if (readsMoney(actor)) rooms.push(Rooms.money(userId));
    }
    // An impersonator keeps its own settings.
    if (!actor.actorId && reads(actor, settingsUser.get)) rooms.push(Rooms.settings(userId));
    return [Rooms.session(sessionId), ...rooms];
  }

  /** The rooms that receive changes of an owner's rows, by the level for which the rows are presented. */
  of(
    resource: Resource,
    OwnerId: string,
    { resellerId, managerId }: AccountManagers,
  ): { level: Level; rooms: string[] }[] {
    const managers = ['manager:*', `manager:${OwnerId}`];
    if (managerId) managers.push(`manager:${managerId}`);
    const resellers = [`reseller:${OwnerId}`];
    if (resellerId) resellers.push(`reseller:${resellerId}`);
    const target = (level: Level, prefixes: string[]) => ({
      level,
      rooms: prefixes.map((prefix) => `${prefix}:${resource}`),
    });
    return [
      target('me', [`me:${OwnerId}`]),
      target('reseller', resellers),
      target('manager', managers),
    ];
  }

  /** Sockets in one of the rooms `except` are left out. */
  emit(rooms: string[], name: string, body: unknown, except: string[] = []): void {
    this.recent.note(rooms);
    this.emitter.to(rooms).except(except).emit(name, body);
  }

  /** Disconnects the sockets of these sessions, or of these prefixes of API tokens, in every API process. */
  endSessions(ids: string[]): void {
    if (ids.length) this.emitter.serverSideEmit(SESSIONS_ENDED, ids);
  }

  /** Every API process looks up again what these sessions, or prefixes of API tokens, may do, and moves their sockets. */
  recheck(ids: string[]): void {
    if (ids.length) this.emitter.serverSideEmit(RIGHTS_CHANGED, ids);
  }

  /** Whether a socket in these rooms may have missed an event since `from`. */
  missedSince(from: number, rooms: Iterable<string>): Promise<boolean> {
    return this.recent.anySince(from, [...rooms]);
  }

  broadcast(name: string): void {
    this.recent.note();
    this.emitter.emit(name);
  }

  async close(): Promise<void> {
    // The reply to the ping comes after all emitted events were sent.
    await this.redis.ping().catch(() => undefined);
    this.redis.disconnect();
  }
}
