import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ConversationNotes1763700000298 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- What a team writes beside the messages. Notes leave with their conversation, and so with the data of its person.
      create table conversation_notes (
        id uuid primary key default uuidv7(),
        conversation_id uuid not null references conversations(id) on delete cascade,
        -- Who wrote it, also in a session opened by login-as.
        author_id uuid not null references users(id) on delete cascade,
        text text not null
      );
      create index conversation_notes_thread on conversation_notes (conversation_id, id);
      create index conversation_notes_author on conversation_notes (author_id);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table conversation_notes`);
  }
}
