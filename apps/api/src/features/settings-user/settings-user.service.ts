import { Injectable } from '@nestjs/common';
import {
  userSettingBody,
  type ResponseOf,
  type SettingChange,
  type settingsUser,
  type SettingsUser,
  type UserSettingKey,
} from '@heliograph/contract';
import { refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { Rooms } from '../../core/events/rooms.ts';
import { parse } from '../../core/http/validation.ts';
import { Quotas } from '../../core/quotas.ts';
import { LISTS_QUOTA, SettingsUserStore } from './settings-user.store.ts';

/** Another spelling of what a feature keeps itself, in keys of `SettingsUser` that begin with `prefix`. */
export interface OtherSettings<Key extends UserSettingKey = UserSettingKey, Input = unknown> {
  prefix: string;
  /** Those that the actor may read. */
  of(actor: Actor): Promise<ResponseOf<typeof settingsUser.get>>;
  /** `value` is valid by `userSettingBody`. Null removes it. Returns it as it is read. */
  put(actor: Actor, key: Key, value: Input | null): Promise<unknown>;
}

/** Settings of the cabinet that follow a person to every browser. docs/decisions/024-personal-settings.md. */
@Injectable()
export class SettingsUserService {
  private readonly others: OtherSettings[] = [];

  constructor(
    private readonly db: Db,
    private readonly store: SettingsUserStore,
    private readonly quotas: Quotas,
    private readonly rooms: Rooms,
    private readonly clock: Clock,
  ) {}

  /** Called by features when they start. */
  add<Key extends UserSettingKey, Input>(others: OtherSettings<Key, Input>): void {
    this.others.push(others as unknown as OtherSettings);
  }

  /** Only one's own, managers too. */
  of(actor: Actor, userId: string): Promise<SettingsUser> {
    if (userId !== actor.userId) throw notFound();
    return this.store.of(userId);
  }

  /** With those that features keep. */
  async all(actor: Actor, userId: string): Promise<ResponseOf<typeof settingsUser.get>> {
    const all = await this.of(actor, userId);
    for (const others of this.others) Object.assign(all, await others.of(actor));
    return all;
  }

  /** The last change of a key wins. */
  async change(
    actor: Actor,
    userId: string,
    key: UserSettingKey,
    body: { value: unknown },
  ): Promise<SettingChange> {
    if (userId !== actor.userId) throw notFound();
    refuseImpersonated(actor);
    const { value } = parse(userSettingBody(key), body) as { value: unknown };
    const others = this.others.find(({ prefix }) => key.startsWith(prefix));
    if (others) {
      const stored = await others.put(actor, key, value).catch((error: unknown) => {
        throw inValue(error);
      });
      return { key, value: stored, updatedAt: this.clock.now().toISOString() };
    }
    return this.db.transaction(async () => {
      const updatedAt = await this.write(userId, key, value);
      const change = { key, value, updatedAt: updatedAt.toISOString() };
      const { sessionId } = actor;
      this.db.afterCommit(() =>
        this.rooms.emit([Rooms.settings(userId)], 'settingsUser.updated', change, [
          Rooms.session(sessionId),
        ]),
      );
      return change;
    });
  }

  private async write(userId: string, key: UserSettingKey, value: unknown): Promise<Date> {
    if (value === null) return this.store.remove(userId, key);
    const updatedAt = await this.store.put(userId, key, value);
    if (key.startsWith('list.')) await this.quotas.check(LISTS_QUOTA, userId);
    return updatedAt;
  }
}

/** The fields of a refusal as the request has them. */
function inValue(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.detail.issues) return error;
  const issues = error.detail.issues.map((one) => ({ ...one, field: `value.${one.field}` }));
  return new AppError(error.code, error.message, { ...error.detail, issues });
}
