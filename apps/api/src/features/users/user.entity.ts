import type { Grants, Level, Role, User as Wire } from '@heliograph/contract';
import { moneyToNumber, parseMoney } from '@heliograph/domain';
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryColumn,
  UpdateDateColumn,
  VirtualColumn,
} from 'typeorm';

/** A user. An account holder owns itself; a member shares its holder's OwnerId, and so its balance. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('text') username: string;
  @Column('text', { select: false }) passwordHash: string;
  @Column('uuid') OwnerId: string;
  @Column('uuid', { nullable: true }) ResellerId: string | null;
  @Column('uuid', { nullable: true }) ManagerId: string | null;
  /** The owner of the referral code it registered with. */
  @Column('uuid', { nullable: true }) ReferrerId: string | null;
  @Column('text', { default: 'me' }) level: Level;
  /** Of a member; null for the account holder. */
  @Column('text', { nullable: true }) role: Role | null;
  @Column('boolean', { default: true }) isActive: boolean;
  @Column('timestamptz', { nullable: true }) suspendedAt: Date | null;
  @Column('text', { nullable: true }) suspensionReason: string | null;
  /** Of an account holder. Its suspension has the reason. */
  @Column('timestamptz', { nullable: true }) closedAt: Date | null;
  /** Of a former member, whose row stays for what names it. */
  @Column('timestamptz', { nullable: true }) removedAt: Date | null;
  /** Until the user chooses its password. */
  @Column('timestamptz', { nullable: true }) invitedAt: Date | null;
  @Column('boolean', { default: false }) isTest: boolean;
  @Column('boolean', { default: false }) isVerified: boolean;
  /** When the e-mail and the phone in `data` were confirmed. */
  @Column('timestamptz', { nullable: true }) emailConfirmedAt: Date | null;
  @Column('timestamptz', { nullable: true }) phoneConfirmedAt: Date | null;
  /** The unconfirmed replacement of a confirmed phone. */
  @Column('text', { nullable: true }) pendingPhone: string | null;
  @Column('text', { nullable: true }) referralCode: string | null;
  @Column('jsonb', { default: {} }) data: Wire['data'];
  @Column('jsonb', { default: {} }) grants: Grants;
  @Column('jsonb', { default: {} }) settings: Record<string, unknown>;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
  @VirtualColumn({
    type: 'text',
    query: (user) =>
      `(select c.address from email_changes c where c.user_id = ${user}.id and c.expires_at > now())`,
  })
  pendingEmail: string | null;
  @VirtualColumn({ type: 'numeric', query: (user) => ofAccount('balance', user) }) balance: string;
  @VirtualColumn({ type: 'numeric', query: (user) => ofAccount('overdraft', user) })
  overdraft: string;
  /** Currency setting of the account holder; null for the default. */
  @VirtualColumn({
    type: 'text',
    query: (user) =>
      `(select h.settings #>> '{billings,currency}' from users h where h.id = ${user}.owner_id)`,
  })
  currency: string | null;
}

/** A column of the account's balance, which only billings writes. */
function ofAccount(column: string, user: string): string {
  return `coalesce((select m.${column} from balances m where m.owner_id = ${user}.owner_id), 0)`;
}

/** `ManagerId` is shown to resellers and managers. */
export function present(row: User, level: Level): Wire {
  const { ManagerId } = row;
  const hasContract = row.data.partnership?.hasContract ?? false;
  const partnership = { hasContract, ...(level !== 'me' && { ManagerId }) };
  return {
    id: row.id,
    username: row.username,
    OwnerId: row.OwnerId,
    ResellerId: row.ResellerId,
    level: row.level,
    role: row.role,
    isActive: row.isActive,
    ...(level !== 'me' && {
      suspension: suspensionOf(row),
      closedAt: row.closedAt?.toISOString() ?? null,
      invitedAt: row.invitedAt?.toISOString() ?? null,
    }),
    isTest: row.isTest,
    $verified: row.isVerified,
    emailConfirmedAt: row.emailConfirmedAt?.toISOString() ?? null,
    phoneConfirmedAt: row.phoneConfirmedAt?.toISOString() ?? null,
    pendingEmail: row.pendingEmail,
    pendingPhone: row.pendingPhone,
    referralCode: row.referralCode,
    data: { ...row.data, partnership },
    balance: moneyToNumber(parseMoney(row.balance)),
    overdraft: moneyToNumber(parseMoney(row.overdraft)),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function suspensionOf({ isActive, suspendedAt, suspensionReason }: User): Wire['suspension'] {
  if (isActive || !suspendedAt) return null;
  return { reason: suspensionReason ?? '', at: suspendedAt.toISOString() };
}
