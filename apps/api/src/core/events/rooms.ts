import { Injectable } from '@nestjs/common';
import {
  billings,
  contactLists,
  contacts,
  links,
  notifications,
  patterns,
  RESYNC,
  sendernames,
  sendings,
  sendingsIncoming,
  storage,
  tariffs,
  tasks,
  telemetry,
  templates,
  users,
  type Endpoint,
  type Level,
  type Permission,
  type Resource,
} from '@heliograph/contract';
import { Emitter } from '@socket.io/redis-emitter';
import type { Redis } from 'ioredis';
import { may, type Actor } from '../auth/actor.ts';
import type { AccountManagers } from '../auth/owners.ts';
import { Config } from '../config.ts';
import { Log } from '../log.ts';
import { FAIL_FAST, openRedis } from '../redis.ts';

/** What API processes tell each other, with the ids. */
export const SESSIONS_ENDED = 'sessions.ended';

/** Who may list a resource may hear of it. */
const LISTS: Record<Resource, Pick<Endpoint, 'can' | 'accept'>> = {
  sendings: sendings.find,
  sendingsIncoming: sendingsIncoming.find,
  tasks: tasks.find,
  templates: templates.find,
  patterns: patterns.find,
  sendernames: sendernames.find,
  contactLists: contactLists.find,
  contacts: contacts.find,
  storage: storage.find,
  billings: billings.find,
  links: links.find,
  tariffs: tariffs.find,
  telemetry: telemetry.find,
  users: users.find,
};
const RESOURCES = Object.keys(LISTS) as Resource[];

const reads = (actor: Actor, { can, accept }: Pick<Endpoint, 'can' | 'accept'>) =>
  may(actor, can as Permission, accept);

/**
 * Rooms are by level, owner and resource: what only a manager may read never reaches a customer's socket, and what a person
 * may not ask for reaches none of that person's.
 */
@Injectable()
export class Rooms {
  private readonly redis: Redis;
  private readonly emitter: Emitter;

  constructor(config: Config, log: Log) {
    this.redis = openRedis(config, log, FAIL_FAST);
    this.emitter = new Emitter({
      publish: (channel: string, message: string | Buffer) => {
        this.redis.publish(channel, message).catch(() => undefined);
      },
    } as never);
    // What this process was to tell before it was killed, or told while Redis was away, nobody has heard.
    this.redis.on('ready', () => this.everyone(RESYNC));
  }

  /** The sockets of a session, in whatever process. */
  static session(sessionId: string): string {
    return `session:${sessionId}`;
  }

  /** What is told to a person alone. */
  static person(userId: string): string {
    return `user:${userId}`;
  }

  /** The rooms a socket joins. */
  static joinedBy(actor: Actor): string[] {
    const { level, OwnerId, scope, userId, sessionId } = actor;
    const whose = [`${level}:${OwnerId}`];
    if (scope.kind === 'all') whose.push('manager:*');
    if (scope.kind === 'manager') whose.push(`manager:${userId}`);
    const readable = RESOURCES.filter((resource) => reads(actor, LISTS[resource]));
    const rooms = readable.flatMap((resource) => whose.map((name) => `${name}:${resource}`));
    if (reads(actor, notifications.find)) rooms.push(Rooms.person(userId));
    return [Rooms.session(sessionId), ...rooms];
  }

  /** Who is told of an owner's rows of a resource, and at which level they are presented. */
  of(
    resource: Resource,
    OwnerId: string,
    { resellerId, managerId }: AccountManagers,
  ): { level: Level; rooms: string[] }[] {
    const managers = ['manager:*', `manager:${OwnerId}`];
    if (managerId) managers.push(`manager:${managerId}`);
    const resellers = [`reseller:${OwnerId}`];
    if (resellerId) resellers.push(`reseller:${resellerId}`);
    const target = (level: Level, whose: string[]) => ({
      level,
      rooms: whose.map((name) => `${name}:${resource}`),
    });
    return [
      target('me', [`me:${OwnerId}`]),
      target('reseller', resellers),
      target('manager', managers),
    ];
  }

  emit(rooms: string[], name: string, body: unknown): void {
    this.emitter.to(rooms).emit(name, body);
  }

  /** Tells every API process, this one as well, that these sessions are over. */
  endSessions(ids: string[]): void {
    if (ids.length) this.emitter.serverSideEmit(SESSIONS_ENDED, ids);
  }

  everyone(name: string): void {
    this.emitter.emit(name);
  }

  /** By those who emit last. */
  async close(): Promise<void> {
    // What was emitted is written before the answer to the ping comes.
    await this.redis.ping().catch(() => undefined);
    this.redis.disconnect();
  }
}
