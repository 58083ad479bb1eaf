import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Payload, SendingType, storage } from '@heliograph/contract';
import { audioSeconds, MEDIA_FIELDS, mediaError, id3TagLength } from '@heliograph/domain';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownScope, systemScope, type Actor, type AccessScope } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, assertFound, invalid, notFound } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Files } from '../../core/files/files.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Log } from '../../core/log.ts';
import { Quotas } from '../../core/quotas.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { contentFacts } from './content-facts.ts';
import { fileType } from './file-type.ts';
import { StorageStore } from './storage.store.ts';
import { present, type LockedFile, type StoredFile } from './stored-file.entity.ts';
import type { Upload } from './uploads.ts';

type Changes = In<typeof storage.update>['body'];

/** Files that one look removes: each costs the disk a call. */
const DELETE_BATCH_SIZE = 200;
/** What is read of a sound to know how long it plays. */
const AUDIO_HEAD_BYTES = 8192;

type SaveOptions = Partial<Pick<StoredFile, 'isPublic' | 'expiredAt'>>;

const publicity = (isPublic: boolean) => ({
  isPublic,
  publicKey: isPublic ? randomBytes(24).toString('base64url') : null,
});

const MEDIA_ERRORS = {
  file_type: (type: string, field: string) =>
    `The type ${type} takes no file of this kind as its ${field}.`,
  file_size: (type: string, field: string) =>
    `The file is too large for the ${field} of the type ${type}.`,
};

@Injectable()
export class StorageService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: StorageStore,
    private readonly events: Events,
    private readonly files: Files,
    private readonly log: Log,
    private readonly quotas: Quotas,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'storage',
      (ids) => this.located(ids),
      (file) => present(file, this.config.publicUrl),
    );
  }

  /** Makes written bytes a file of an owner. They are adopted, or removed when that fails: nothing stays behind. */
  async save(
    OwnerId: string,
    upload: Upload,
    { isPublic = false, expiredAt }: SaveOptions = {},
  ): Promise<StoredFile> {
    const id = uuidv7();
    try {
      const { head, ...facts } = await inspect(upload.path);
      if (!facts.size) throw invalid('file', 'empty', 'The file is empty.');
      const { filename } = upload;
      const type = fileType(head, filename, upload.type);
      const seconds = await playingTime(upload.path, head, facts.size);
      const meta = await contentFacts(upload.path, type);
      // Before the row: whoever sees the row finds the bytes.
      await this.files.adopt(upload.path, id);
      return await this.db.transaction(async () => {
        await this.store.create({
          id,
          OwnerId,
          title: filename,
          filename,
          type,
          ...publicity(isPublic),
          expiredAt,
          seconds,
          meta,
          ...facts,
        });
        await this.quotas.check('storage', OwnerId);
        this.events.changed('storage', 'created', OwnerId, id);
        return this.store.get(ownScope(OwnerId), id);
      });
    } catch (error) {
      await rm(upload.path, { force: true });
      await this.files.remove(id);
      throw error;
    }
  }

  /** Bytes that were made here, as a file of an owner. */
  async saveBytes(
    OwnerId: string,
    bytes: Buffer,
    { filename, ...options }: SaveOptions & { filename: string },
  ): Promise<StoredFile> {
    const path = join(await this.files.incoming(), randomUUID());
    await writeFile(path, bytes);
    return this.save(OwnerId, { path, filename }, options);
  }

  update(actor: Actor, id: string, { title, isPublic }: Changes): Promise<StoredFile> {
    return this.db.transaction(async () => {
      const before = await this.store.lock(actor.scope, id);
      const isTurned = isPublic !== undefined && isPublic !== before.isPublic;
      const changes = { title, ...(isTurned && publicity(isPublic)) };
      const row = await this.store.update(actor.scope, id, changes);
      this.events.changed('storage', 'updated', row.OwnerId, id);
      return row;
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const [file] = await this.store.withLocks([await this.store.lock(actor.scope, id)]);
      const { locks } = file!;
      if (locks > 0)
        throw new AppError('in_use', 'The file is needed by a sending', { payload: { locks } });
      const row = await this.store.remove(actor.scope, id);
      this.db.afterCommit(() => this.removeBytes([id]));
      this.events.changed('storage', 'removed', row.OwnerId, id);
      return { id };
    });
  }

  /** A file to read, with where its bytes are. */
  async open(scope: AccessScope, id: string): Promise<StoredFile & { path: string }> {
    const row = await this.store.get(scope, id);
    return Object.assign(row, { path: this.files.path(id) });
  }

  /** A public file to read, by the key of its address. */
  async openPublic(key: string): Promise<StoredFile & { path: string }> {
    const row = await this.store.byPublicKey(key);
    if (!row) throw notFound();
    return Object.assign(row, { path: this.files.path(row.id) });
  }

  /** Files by their ids; refuses those that are not within reach. */
  async require(scope: AccessScope, ids: string[]): Promise<StoredFile[]> {
    const wanted = new Set(ids);
    if (!wanted.size) return [];
    const found = await this.store.byIds(scope, [...wanted]);
    assertFound('File', wanted, found);
    return found;
  }

  /** The files that messages carry, by where each message stands: of a kind and size that its channel takes in that field. */
  async requireMedia(
    scope: AccessScope,
    messages: { place: string; type: SendingType; payload: Partial<Payload> }[],
  ): Promise<StoredFile[]> {
    const named = messages.flatMap(({ place, type, payload }) =>
      MEDIA_FIELDS.flatMap((field) => {
        const id = payload[field]?.toLowerCase();
        return id ? [{ place: `${place}.${field}`, type, field, id }] : [];
      }),
    );
    const files = await this.require(
      scope,
      named.map(({ id }) => id),
    );
    for (const { place, type, field, id } of named) {
      const rule = mediaError(
        type,
        field,
        files.find((file) => file.id === id)!,
      );
      if (rule) throw invalid(place, rule, MEDIA_ERRORS[rule](type, field));
    }
    return files;
  }

  /** Something goes on needing these files: none of them expires any more. Refuses those that are gone meanwhile. */
  async claim(ids: string[]): Promise<void> {
    if (!ids.length) return;
    await this.db.transaction(async () => {
      assertFound('File', ids, await this.store.hold(ids));
      for (const { id, OwnerId } of await this.store.stopExpiry(ids))
        this.events.changed('storage', 'updated', OwnerId, id);
    });
  }

  /** Whose time is over goes, row and bytes. */
  async sweep(): Promise<boolean> {
    const dropped = await this.store.dropExpired(DELETE_BATCH_SIZE);
    await this.removeBytes(dropped);
    return dropped.length === DELETE_BATCH_SIZE;
  }

  /**
   * Of the next files after an id that were uploaded before a moment: removes those that no sending under way and no template
   * names. The last id that was looked at; null when there is none beyond.
   */
  async dropUnneeded(after: string, before: Date): Promise<string | null> {
    const { ids, last } = await this.db.transaction(() =>
      this.store.dropUnneeded(after, before, DELETE_BATCH_SIZE),
    );
    await this.removeBytes(ids);
    return last;
  }

  /** Bytes of so long ago without a row: of a process that ended between the two. A folder of 256 at a time. */
  async reap(folder: number, ageMs: number): Promise<void> {
    const ids = await this.files.storedIn(folder);
    for (const id of await this.store.unknown(ids)) await this.files.removeOlder(id, ageMs);
  }

  private async located(ids: string[]): Promise<LockedFile[]> {
    return this.store.withLocks(await this.store.byIds(systemScope, ids));
  }

  /** A failure leaves bytes without a row, which are reaped. */
  private async removeBytes(ids: string[]): Promise<void> {
    for (const id of ids) {
      await this.files
        .remove(id)
        .catch((error: unknown) => this.log.warn({ err: error, id }, 'bytes were not removed'));
    }
  }
}

/** In started seconds, also of a sound that begins after a long tag. */
async function playingTime(path: string, head: Buffer, size: number): Promise<number | null> {
  const begin = id3TagLength(head);
  if (begin + AUDIO_HEAD_BYTES <= head.length || begin >= size) return audioSeconds(head, size);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(AUDIO_HEAD_BYTES),
      0,
      AUDIO_HEAD_BYTES,
      begin,
    );
    return audioSeconds(buffer.subarray(0, bytesRead), size - begin);
  } finally {
    await file.close();
  }
}

/** Size, SHA-256 and first bytes of a file on disk. */
async function inspect(path: string): Promise<{ size: number; hash: string; head: Buffer }> {
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (!size) head = chunk;
    size += chunk.length;
    hash.update(chunk);
  }
  return { size, hash: hash.digest('hex'), head };
}
