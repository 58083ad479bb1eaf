import { Injectable } from '@nestjs/common';
import {
  EFFECTS,
  OtpChannelInput,
  type OtpChannelAdditional,
  type otpChannels,
} from '@heliograph/contract';
import { requireAll, type Actor } from '../../../core/auth/actor.ts';
import { refuseChangesOf } from '../../../core/changes.ts';
import { Db, violated } from '../../../core/db/db.ts';
import { AppError, invalid } from '../../../core/errors.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { parseWith } from '../../../core/http/sentences.ts';
import { Quotas } from '../../../core/quotas.ts';
import type { OtpChannel } from './otp-channel.entity.ts';
import { OTP_CHANNELS_QUOTA, OtpChannelsStore } from './otp-channels.store.ts';

type Input = In<typeof otpChannels.create>['body'];
type Changes = In<typeof otpChannels.update>['body'];

@Injectable()
export class OtpChannelsService {
  constructor(
    private readonly db: Db,
    private readonly store: OtpChannelsStore,
    private readonly quotas: Quotas,
  ) {}

  create(actor: Actor, { additionalSettings, ...input }: Input): Promise<OtpChannel> {
    requireAll(actor, EFFECTS.otpSettings.code);
    const { OwnerId } = actor;
    return this.db.transaction(async () => {
      const values = { ...input, additionalSettings: stored(additionalSettings), OwnerId };
      const row = await this.store.create(values);
      await this.quotas.check(OTP_CHANNELS_QUOTA, OwnerId);
      return row;
    });
  }

  update(
    actor: Actor,
    id: string,
    { name, channelType: given, additionalSettings }: Changes,
  ): Promise<OtpChannel> {
    requireAll(actor, EFFECTS.otpSettings.code);
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      refuseChangesOf(row, { channelType: given });
      const { channelType, additionalSettings: kept } = row;
      const code = { ...kept.code, ...additionalSettings?.code };
      const merged = { ...kept, ...additionalSettings, code };
      // Rules that depend on the type, which a change does not name.
      if (additionalSettings) check({ name: row.name, channelType, additionalSettings: merged });
      return this.store.update(actor.scope, id, {
        ...(name !== undefined && { name }),
        ...(additionalSettings && { additionalSettings: stored(merged) }),
      });
    });
  }

  async remove(actor: Actor, id: string): Promise<{ id: string }> {
    await this.store.remove(actor.scope, id).catch((error: unknown) => {
      throw violated(error) === 'otp_widget_channels_channel_id_fkey'
        ? new AppError('in_use', 'A widget uses this channel. Remove it there first.')
        : error;
    });
    return { id };
  }
}

const stored = ({ mtsClientId, ...settings }: OtpChannelAdditional) => ({
  ...settings,
  mtsClientId: mtsClientId ?? null,
});

function check(channel: Input): void {
  const parsed = parseWith(OtpChannelInput, channel);
  if ('data' in parsed) return;
  const [issue] = [...parsed.issues];
  throw invalid(issue!.field, issue!.rule, issue!.message);
}
