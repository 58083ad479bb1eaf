import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RESYNC, type Level } from '@heliograph/contract';
import { Emitter } from '@socket.io/redis-emitter';
import { Redis } from 'ioredis';
import type { Actor } from '../auth/actor.ts';
import type { Keepers } from '../auth/owners.ts';
import { Config } from '../config.ts';
import { Log } from '../log.ts';

/** Rooms are by level and owner, so that what only a manager may read never reaches a customer's socket. */
@Injectable()
export class Rooms implements OnApplicationShutdown {
  private readonly redis: Redis;
  private readonly emitter: Emitter;

  constructor(config: Config, log: Log) {
    this.redis = new Redis(config.REDIS_URL, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
    });
    this.redis.on('error', (error) => log.debug({ err: error }, 'redis is away'));
    this.emitter = new Emitter({
      publish: (channel: string, message: string | Buffer) => {
        this.redis.publish(channel, message).catch(() => undefined);
      },
    } as never);
    // What this process was to tell before it was killed, or told while Redis was away, nobody has heard.
    this.redis.on('ready', () => this.everyone(RESYNC));
  }

  /** What is told to a person alone. */
  static person(userId: string): string {
    return `user:${userId}`;
  }

  /** The rooms a socket joins. */
  static joinedBy(actor: Actor): string[] {
    const { level, OwnerId, reach, userId } = actor;
    const rooms = [`${level}:${OwnerId}`, Rooms.person(userId)];
    if (reach.kind === 'all') rooms.push('manager:*');
    if (reach.kind === 'manager') rooms.push(`manager:${userId}`);
    return rooms;
  }

  /** Who is told of an owner's rows, and at which level they are presented. */
  of(OwnerId: string, { resellerId, managerId }: Keepers): { level: Level; rooms: string[] }[] {
    const managers = ['manager:*', `manager:${OwnerId}`];
    if (managerId) managers.push(`manager:${managerId}`);
    const resellers = [`reseller:${OwnerId}`];
    if (resellerId) resellers.push(`reseller:${resellerId}`);
    return [
      { level: 'me', rooms: [`me:${OwnerId}`] },
      { level: 'reseller', rooms: resellers },
      { level: 'manager', rooms: managers },
    ];
  }

  emit(rooms: string[], name: string, body: unknown): void {
    this.emitter.to(rooms).emit(name, body);
  }

  everyone(name: string): void {
    this.emitter.emit(name);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
