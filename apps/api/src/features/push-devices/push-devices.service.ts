import { createHash, createPublicKey } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { pushDevices, PushKind } from '@heliograph/contract';
import { normalizePhone } from '@heliograph/domain';
import type { PushDevice as Addressed } from '../../channels/channel.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { invalid } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Quotas } from '../../core/quotas.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { ChannelConnections } from '../channels/channel-connections.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import type { PushDevice } from './push-device.entity.ts';
import { PUSH_DEVICES_QUOTA, PushDevicesStore } from './push-devices.store.ts';

/** Push messages are sent to a phone number. The account says which apps and browsers are those of the number. */
@Injectable()
export class PushDevicesService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: PushDevicesStore,
    private readonly settings: SettingsService,
    private readonly channels: ChannelConnections,
    private readonly quotas: Quotas,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.channels.useDevices({
      of: (references, kind) => this.ofMessages(references, kind),
      remove: (ids) => this.store.removeAll(ids),
    });
  }

  /** A device that is known already is moved to the phone number. */
  async register(
    { OwnerId }: Actor,
    { phone: given, title, token, subscription }: In<typeof pushDevices.create>['body'],
  ): Promise<PushDevice> {
    const phone = normalizePhone(given, await this.settings.countryOf(OwnerId));
    if (!phone) throw invalid('phone', 'phone', 'Invalid phone number');
    if (subscription && !isPointOfCurve(subscription.keys.p256dh))
      throw invalid('subscription.keys.p256dh', 'format', 'This is not a public key of P-256.');
    const now = this.clock.now();
    const address = token ?? subscription!.endpoint;
    const row: PushDevice = {
      id: uuidv7(now),
      OwnerId,
      phone,
      kind: subscription ? 'web-push' : 'fcm',
      address,
      addressHash: createHash('sha256').update(address).digest(),
      keys: subscription?.keys ?? null,
      title: title || null,
      updatedAt: now,
    };
    return this.db.transaction(async () => {
      const { device, isNew } = await this.store.register(row);
      if (isNew) await this.quotas.check(PUSH_DEVICES_QUOTA, OwnerId);
      return device;
    });
  }

  async remove(actor: Actor, id: string): Promise<{ id: string }> {
    await this.store.remove(actor.scope, id);
    return { id };
  }

  private async ofMessages(
    references: readonly string[],
    kind: PushKind,
  ): Promise<Map<string, Addressed[]>> {
    const rows = await this.store.ofMessages(references, kind);
    const devices = new Map<string, Addressed[]>();
    for (const { reference, ...device } of rows)
      devices.set(reference, [...(devices.get(reference) ?? []), device]);
    return devices;
  }
}

/** Whether 65 bytes in base64url are a point of P-256: nothing can be encrypted for others. */
function isPointOfCurve(key: string): boolean {
  const bytes = Buffer.from(key, 'base64url');
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((one) =>
    one.toString('base64url'),
  );
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}
