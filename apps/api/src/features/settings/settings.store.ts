import { Injectable } from '@nestjs/common';
import type { GroupRoute } from '@heliograph/contract';
import type { Locale, MessageRules, SendingType } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { TimeZonesStore } from '../../core/db/time-zones.store.ts';

/** The stored settings; missing ones have defaults. */
interface StoredSettings {
  billings?: { currency?: string; processChildrenOperations?: boolean; creditLine?: number };
  sendings?: {
    sendernamesCheck?: SendingType[];
    types?: SendingType[];
    lookupDays?: number;
    lookupFirst?: boolean;
  };
}

/** An account holder with its approved sender names. */
export interface AccountRow {
  settings: StoredSettings;
  overdraft: number;
  isActive: boolean;
  phone: string | null;
  isPhoneConfirmed: boolean;
  /** The language that its holder has chosen. */
  locale: Locale | null;
  approvedSenders: { type: 'sms' | 'voice'; name: string }[];
  /** Phones of its paid WhatsApp instances, linked ones first; null of one that has no phone yet. */
  wapiSenders: (string | null)[];
  /** Routes of its routing groups, in order. */
  routes: GroupRoute[];
  /** Its routing groups. */
  GroupIds: string[];
  /** Rules of its message rule groups. */
  groupRules: MessageRules[];
}

const NO_ACCOUNT: AccountRow = {
  settings: {},
  overdraft: 0,
  isActive: false,
  phone: null,
  isPhoneConfirmed: false,
  locale: null,
  approvedSenders: [],
  wapiSenders: [],
  routes: [],
  GroupIds: [],
  groupRules: [],
};

@Injectable()
export class SettingsStore {
  constructor(
    private readonly db: Db,
    private readonly timeZones: TimeZonesStore,
  ) {}

  /** The time zone that the holder of an account has chosen; null if there is none. */
  async timeZoneOf(OwnerId: string): Promise<string | null> {
    const [row] = await this.db.query<{ name: string }>(
      `select value #>> '{}' as name from settings_user where user_id = $1 and key = 'timeZone'`,
      [OwnerId],
    );
    return row ? this.timeZones.nameOf(row.name) : null;
  }

  async ofAccount(OwnerId: string): Promise<AccountRow> {
    const [row] = await this.db.query<AccountRow>(
      `select u.settings, coalesce(b.overdraft, 0)::float8 as overdraft, u.is_active as "isActive", u.data->>'phone' as phone,
              u.phone_confirmed_at is not null as "isPhoneConfirmed",
              (select p.value #>> '{}' from settings_user p where p.user_id = u.id and p.key = 'locale') as locale,
              array(select jsonb_build_object('type', s.type, 'name', s.name) from sendernames s
                     where s.owner_id = u.id and s.moderation = 'approved' and s.is_active) as "approvedSenders",
              array(select w.phone from wapi_instances w
                     where w.owner_id = u.id and w.is_paid and w.is_active and w.state <> 'deleted'
                     order by w.state = 'authorized' desc, w.id) as "wapiSenders",
              array(select r.route from users_routing_groups m join routing_groups g on g.id = m.group_id,
                           jsonb_array_elements(g.routes) with ordinality r(route, place)
                     where m.owner_id = u.id order by m.position, r.place) as routes,
              array(select m.group_id from users_routing_groups m where m.owner_id = u.id) as "GroupIds",
              array(select g.rules from users_message_rule_groups m join message_rule_groups g on g.id = m.group_id
                     where m.owner_id = u.id) as "groupRules"
         from users u left join balances b on b.owner_id = u.id
        where u.id = $1`,
      [OwnerId],
    );
    return row ?? NO_ACCOUNT;
  }

  async beginning(OwnerId: string): Promise<{ isTest: boolean; hasFreeCredit: boolean }> {
    const [row] = await this.db.query<{ isTest: boolean; hasFreeCredit: boolean }>(
      `select is_test as "isTest", exists (select 1 from free_credits f where f.owner_id = u.id) as "hasFreeCredit"
         from users u where id = $1`,
      [OwnerId],
    );
    return row ?? { isTest: false, hasFreeCredit: false };
  }

  async nameOf(userId: string): Promise<{ id: string; username: string } | null> {
    const [row] = await this.db.query<{ id: string; username: string }>(
      `select id, username from users where id = $1`,
      [userId],
    );
    return row ?? null;
  }
}
