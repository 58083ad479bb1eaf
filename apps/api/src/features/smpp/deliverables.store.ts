import { Injectable } from '@nestjs/common';
import { typeCode } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import type { SmppOrigin } from '../sendings/sendings.service.ts';
import type { StoredReceiptPart } from './parts.store.ts';

/** A message that receipts are about. */
export interface ReceiptRow {
  id: string;
  groupId: string | null;
  phone: string;
  sender: string;
  createdAt: Date;
  smpp: SmppOrigin | null;
}

export interface ReceivedRow {
  id: string;
  from: string;
  to: string;
  text: string | null;
}

/** What is delivered to receivers. */
@Injectable()
export class DeliverablesStore {
  constructor(private readonly db: Db) {}

  messages(OwnerId: string, ids: string[]): Promise<ReceiptRow[]> {
    return this.db.query<ReceiptRow>(
      `select s.id, s.group_id as "groupId", s.phone, s.sender, uuid_extract_timestamp(s.id) as "createdAt",
              coalesce(s.data->'smpp', t.data->'sending'->'smpp') as smpp
         from sendings s left join tasks t on t.id = s.group_id
        where s.owner_id = $1 and s.id = any($2)`,
      [OwnerId, ids],
    );
  }

  parts(OwnerId: string, ids: string[]): Promise<(StoredReceiptPart & { SendingId: string })[]> {
    return this.db.query(
      `select id, sending_id as "SendingId", receipt, source, destination from smpp_parts
        where owner_id = $1 and sending_id = any($2) order by sending_id, index`,
      [OwnerId, ids],
    );
  }

  /** Those of SMS: others have addresses and contents that SMPP has no form for. */
  received(OwnerId: string, ids: string[]): Promise<ReceivedRow[]> {
    return this.db.query<ReceivedRow>(
      `select id, "from", "to", payload->>'text' as text from sendings_incoming where owner_id = $1 and id = any($2) and type = $3`,
      [OwnerId, ids, typeCode('sms')],
    );
  }
}
