import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CertificateEnds1763700000389 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Those that the process shows to its clients: subject, end and fingerprint.
      alter table processes add column certificates jsonb not null default '[]';
      -- Which ends administrators were told of.
      create table certificate_alarms (
        certificate text not null,
        stage text not null,
        ends_at timestamptz not null,
        primary key (certificate, stage)
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table certificate_alarms;
      alter table processes drop column certificates;
    `);
  }
}
