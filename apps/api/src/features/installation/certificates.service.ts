import { Injectable } from '@nestjs/common';
import type { Certificate } from '@heliograph/contract';
import { certificateStage } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Notifications } from '../../core/notifications.ts';
import { LOST_MS } from '../../core/process-reports.ts';
import { ChannelsService } from '../channels/channels.service.ts';
import { CertificatesStore } from './certificates.store.ts';

const HOUR_MS = 3_600_000;
const KEPT_MS = 365 * 24 * HOUR_MS;

type Known = Certificate & { fingerprint: string };

/** Ends of certificates that the installation has in files and options; nobody is called for it. */
@Injectable()
export class CertificatesService {
  constructor(
    private readonly store: CertificatesStore,
    private readonly channels: ChannelsService,
    private readonly notifications: Notifications,
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  async find(): Promise<Certificate[]> {
    return (await this.all()).map(({ fingerprint: _, ...one }) => one);
  }

  /** Once for each stage of a certificate. */
  @Sweeps(HOUR_MS)
  async warn(): Promise<void> {
    const all = await this.all();
    await this.db.transaction(async () => {
      const begun: Known[] = [];
      for (const one of all.filter(({ stage }) => stage !== 'valid'))
        if (await this.store.begin(keyOf(one), one.stage, new Date(one.endsAt))) begun.push(one);
      await this.notifications.notifyAdministrators(
        'CertificateEnding',
        'installation.get',
        begun.map(({ usedBy, name, subject, stage, endsAt }) => ({
          subject,
          [usedBy === 'smpp' ? 'host' : 'channel']: name,
          [stage === 'ended' ? 'endedAt' : 'endsAt']: endsAt,
        })),
      );
      await this.store.deleteOld(new Date(this.clock.now().getTime() - KEPT_MS), all.map(keyOf));
    });
  }

  private async all(): Promise<Known[]> {
    const now = this.clock.now();
    const [processes, channels] = await Promise.all([
      this.store.ofProcesses(new Date(now.getTime() - LOST_MS)),
      this.channels.certificates(),
    ]);
    const all = [
      ...processes.map(({ host, ...one }) => ({ ...one, usedBy: 'smpp' as const, name: host })),
      ...channels.map(({ channel, ...one }) => ({
        ...one,
        usedBy: 'channel' as const,
        name: channel,
      })),
    ];
    return all
      .map((one) => ({ ...one, stage: certificateStage(new Date(one.endsAt), now) }))
      .sort((a, b) => a.endsAt.localeCompare(b.endsAt) || a.name.localeCompare(b.name));
  }
}

/** The name of a container is another one after each restart. */
const keyOf = ({ usedBy, name, fingerprint }: Known): string =>
  usedBy === 'smpp' ? `smpp ${fingerprint}` : `channel ${name} ${fingerprint}`;
