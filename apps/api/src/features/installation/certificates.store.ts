import { Injectable } from '@nestjs/common';
import type { CertificateFacts } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

@Injectable()
export class CertificatesStore {
  constructor(private readonly db: Db) {}

  /** Of the processes that were seen lately. */
  ofProcesses(since: Date): Promise<(CertificateFacts & { host: string })[]> {
    return this.db.query(
      `select distinct p.host, c.* from processes p
         cross join lateral jsonb_to_recordset(p.certificates) c (subject text, "endsAt" text, fingerprint text)
        where p.seen_at >= $1 order by p.host`,
      [since],
    );
  }

  /** False if administrators were told of it. */
  async begin(certificate: string, stage: string, endsAt: Date): Promise<boolean> {
    const added = await this.db.execute(
      `insert into certificate_alarms (certificate, stage, ends_at) values ($1, $2, $3) on conflict do nothing`,
      [certificate, stage, endsAt],
    );
    return added > 0;
  }

  /** Those that are in use would be told of again. */
  async deleteOld(before: Date, used: string[]): Promise<void> {
    await this.db.query(
      `delete from certificate_alarms where ends_at < $1 and certificate <> all($2)`,
      [before, used],
    );
  }
}
