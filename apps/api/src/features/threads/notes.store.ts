import { Injectable } from '@nestjs/common';
import type { ConversationUser } from '@heliograph/contract';
import { userNameSql } from '../../core/auth/owners.ts';
import { Db } from '../../core/db/db.ts';
import type { Quota } from '../../core/quotas.ts';

export interface NoteRow {
  id: string;
  text: string;
  Author: ConversationUser;
  createdAt: Date;
}

/** Of one conversation. */
export const NOTES_QUOTA: Quota = {
  name: 'conversationNotes',
  limit: () => 500,
  used: `select count(*)::float8 as used from conversation_notes where conversation_id = $1`,
};

/** What a team has written in conversations. */
@Injectable()
export class NotesStore {
  constructor(private readonly db: Db) {}

  async create(conversationId: string, authorId: string, text: string): Promise<string> {
    const [row] = await this.db.query<{ id: string }>(
      `insert into conversation_notes (conversation_id, author_id, text) values ($1, $2, $3) returning id`,
      [conversationId, authorId, text],
    );
    return row!.id;
  }

  /** Those of the conversation that there are, in any order. */
  byIds(conversationId: string, ids: readonly string[]): Promise<NoteRow[]> {
    return this.db.query(
      `select n.id, n.text, jsonb_build_object('id', u.id, 'name', ${userNameSql('u')}) as "Author", uuid_extract_timestamp(n.id) as "createdAt"
         from conversation_notes n join users u on u.id = n.author_id
        where n.conversation_id = $1 and n.id = any($2)`,
      [conversationId, ids],
    );
  }

  async remove(id: string): Promise<void> {
    await this.db.execute(`delete from conversation_notes where id = $1`, [id]);
  }
}
