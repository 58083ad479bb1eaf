import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PERMISSIONS, type Page, type Permission, type storage } from '@heliograph/contract';
import { presetError, type FilePreset } from '@heliograph/domain';
import { randomBytes, randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  may,
  ownScope,
  requirePermission,
  systemScope,
  type Actor,
  type AccessScope,
} from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
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
import { assertMedia, mediaIn, type MessageFiles } from './message-files.ts';
import { STORAGE_QUOTA, StorageStore } from './storage.store.ts';
import { contentsOf, present, type LockedFile, type StoredFile } from './stored-file.entity.ts';
import { Tickets } from './tickets.ts';
import { inspect, playingTime } from './upload-facts.ts';
import type { Upload } from './uploads.ts';

type Changes = In<typeof storage.update>['body'];

/** Files deleted by one sweep. */
const DELETE_BATCH_SIZE = 200;
const MAX_EXPIRY_MS = 366 * 86_400_000;

type SaveOptions = Partial<Pick<StoredFile, 'id' | 'isPublic' | 'expiredAt'>> & {
  preset?: FilePreset;
  /** For files that the installation makes: they count, but are not refused. */
  ignoresQuota?: boolean;
};
export type GeneratedFile = Pick<
  StoredFile,
  | 'id'
  | 'contentsId'
  | 'OwnerId'
  | 'permission'
  | 'filename'
  | 'type'
  | 'size'
  | 'hash'
  | 'expiredAt'
> &
  Partial<Pick<StoredFile, 'meta'>>;

/** Nobody reads in a file what may not be read where it comes from. */
function requireReadable(actor: Actor, { permission }: StoredFile): void {
  if (permission) requirePermission(actor, permission);
  else if (!readsUploads(actor)) requirePermission(actor, 'storage.create');
}

/** Uploads may be lists of contacts: of members, those read them who work with files or contacts. */
const readsUploads = (actor: Actor): boolean =>
  actor.role === null || may(actor, 'storage.create') || may(actor, 'contacts.get');

const publicity = (isPublic: boolean) => ({
  isPublic,
  publicKey: isPublic ? randomBytes(24).toString('base64url') : null,
});

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
    private readonly clock: Clock,
    private readonly tickets: Tickets,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'storage',
      (ids) => this.located(ids),
      (file) => present(file, this.config.publicUrl),
    );
  }

  /** Stores an upload as a file of an account. The upload is removed if that fails. */
  async save(
    OwnerId: string,
    upload: Upload,
    { id = uuidv7(), isPublic = false, expiredAt, preset = 'all', ignoresQuota }: SaveOptions = {},
  ): Promise<StoredFile> {
    const { path, filename } = upload;
    try {
      const { head, size, hash } = await inspect(path);
      if (!size) throw invalid('file', 'empty', 'The file is empty.');
      const type = fileType(head, filename, upload.type);
      const rule = presetError(preset, { type, size });
      if (rule) throw invalid('file', rule, `The file is not accepted as ${preset}.`);
      const seconds = await playingTime(path, type, head, size);
      const meta = await contentFacts(path, type);
      // Refused before the contents are sent to the store.
      if (!ignoresQuota) await this.quotas.requireRoom(STORAGE_QUOTA, OwnerId, size);
      return await this.keep(
        {
          id,
          OwnerId,
          filename,
          type,
          ...publicity(isPublic),
          expiredAt,
          seconds,
          meta,
          size,
          hash,
        },
        () => this.files.adopt(path, id),
        ignoresQuota,
      );
    } finally {
      await rm(path, { force: true });
    }
  }

  /**
   * Stores the contents of a generated file of any length, outside of a transaction. The row follows by `addGenerated`; without it
   * the caller calls `discardGenerated`, or the sweep removes the contents.
   */
  async storeGenerated(
    OwnerId: string,
    path: string,
    size: number,
    { ignoresQuota }: Pick<SaveOptions, 'ignoresQuota'> = {},
  ): Promise<string> {
    if (!ignoresQuota) await this.quotas.requireRoom(STORAGE_QUOTA, OwnerId, size);
    // A name of its own: another attempt to make the same file neither overwrites nor removes it.
    const contentsId = uuidv7();
    try {
      await this.files.adopt(path, contentsId);
    } catch (error) {
      await this.removeContents([contentsId]);
      throw error;
    }
    return contentsId;
  }

  /** The same for bytes. */
  async storeBytes(
    OwnerId: string,
    bytes: Buffer,
    { filename, ignoresQuota }: Pick<SaveOptions, 'ignoresQuota'> & { filename: string },
  ): Promise<Omit<GeneratedFile, 'id' | 'permission'>> {
    const path = await this.incoming(bytes);
    try {
      const { head, size, hash } = await inspect(path);
      const type = fileType(head, filename);
      const meta = await contentFacts(path, type);
      const contentsId = await this.storeGenerated(OwnerId, path, size, { ignoresQuota });
      return { contentsId, OwnerId, filename, type, size, hash, meta, expiredAt: null };
    } finally {
      await rm(path, { force: true });
    }
  }

  /** The row of stored contents, in the transaction of the fact. */
  addGenerated(
    file: GeneratedFile,
    { ignoresQuota }: Pick<SaveOptions, 'ignoresQuota'> = {},
  ): Promise<StoredFile> {
    return this.insert({ meta: {}, ...file, ...publicity(false), seconds: null }, ignoresQuota);
  }

  discardGenerated(contentsId: string): Promise<void> {
    return this.removeContents([contentsId]);
  }

  /** Runs `work` with a local copy of the contents. */
  withLocal<T>(file: StoredFile, work: (path: string) => Promise<T>): Promise<T> {
    return this.files.withLocal(contentsOf(file), work);
  }

  /** Writes contents and then their row, so that the contents exist when the row is visible. After a failure neither remains. */
  private async keep(
    row: Partial<StoredFile> & { OwnerId: string; filename: string },
    write: (id: string) => Promise<Partial<StoredFile> | void>,
    ignoresQuota = false,
  ): Promise<StoredFile> {
    const { id = uuidv7() } = row;
    try {
      const written = await write(id);
      return await this.insert({ ...row, ...written, id }, ignoresQuota);
    } catch (error) {
      await this.removeContents([id]);
      throw error;
    }
  }

  private insert(
    row: Partial<StoredFile> & { id: string; OwnerId: string; filename: string },
    ignoresQuota = false,
  ): Promise<StoredFile> {
    const { id, OwnerId } = row;
    return this.db.transaction(async () => {
      await this.store.create({ title: row.filename, ...row });
      if (!ignoresQuota) await this.quotas.check(STORAGE_QUOTA, OwnerId);
      this.events.changed('storage', 'created', OwnerId, id);
      return this.store.get(ownScope(OwnerId), id);
    });
  }

  /** Stores generated bytes as a file of an account. */
  async saveBytes(
    OwnerId: string,
    bytes: Buffer,
    { filename, ...options }: SaveOptions & { filename: string },
  ): Promise<StoredFile> {
    return this.save(OwnerId, { path: await this.incoming(bytes), filename }, options);
  }

  private async incoming(bytes: Buffer): Promise<string> {
    const path = join(await this.files.incoming(), randomUUID());
    await writeFile(path, bytes);
    return path;
  }

  update(actor: Actor, id: string, { isPublic, ...given }: Changes): Promise<StoredFile> {
    if (given.expiredAt) this.checkExpiry(given.expiredAt);
    return this.db.transaction(async () => {
      const before = await this.store.lock(actor.scope, id);
      requireReadable(actor, before);
      if (given.expiredAt) await this.requireUnused(before);
      const isTurned = isPublic !== undefined && isPublic !== before.isPublic;
      const expiredAt = given.expiredAt && new Date(given.expiredAt);
      const changes = { ...given, expiredAt, ...(isTurned && publicity(isPublic)) };
      const row = await this.store.update(actor.scope, id, changes);
      this.events.changed('storage', 'updated', row.OwnerId, id);
      return row;
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      await this.requireUnused(await this.store.lock(actor.scope, id));
      await this.delete(actor.scope, id);
      return { id };
    });
  }

  /** Removes a file in the caller's transaction, if it is there and nothing uses it. */
  async removeUnused(scope: AccessScope, id: string): Promise<void> {
    const [file] = await this.store.withLocks(await this.store.byIds(scope, [id]));
    if (file?.locks === 0) await this.delete(scope, id);
  }

  private async delete(scope: AccessScope, id: string): Promise<void> {
    const row = await this.store.remove(scope, id);
    this.db.afterCommit(() => this.removeContents([contentsOf(row)]));
    this.events.changed('storage', 'removed', row.OwnerId, id);
  }

  /** Throws `in_use` with the tasks and templates that use a file. */
  private async requireUnused(file: StoredFile): Promise<void> {
    const [{ locks }] = (await this.store.withLocks([file])) as [LockedFile];
    if (!locks) return;
    const { tasks, templates, contracts } = await this.store.users(file);
    throw new AppError(
      'in_use',
      'The file is used by a template, a contract or an unfinished message',
      {
        payload: { locks, tasks, templates, contracts },
      },
    );
  }

  private checkExpiry(expiredAt: string): void {
    const left = Date.parse(expiredAt) - this.clock.now().getTime();
    if (left <= 0) throw invalid('expiredAt', 'past', 'The time must be in the future.');
    if (left > MAX_EXPIRY_MS)
      throw invalid('expiredAt', 'far', 'The time must be within one year.');
  }

  /** Pages have the files that the actor may read. */
  find(actor: Actor, query: In<typeof storage.find>['query']): Promise<Page<StoredFile>> {
    const names = Object.keys(PERMISSIONS) as Permission[];
    const permissions = names.filter((name) => may(actor, name));
    return this.store.findReadable(actor.scope, query, permissions, readsUploads(actor));
  }

  async get(actor: Actor, id: string): Promise<StoredFile> {
    const file = await this.store.get(actor.scope, id);
    requireReadable(actor, file);
    return file;
  }

  /** A public file by the key of its URL. */
  async getPublic(key: string): Promise<StoredFile> {
    const row = await this.store.byPublicKey(key);
    if (!row) throw notFound();
    return row;
  }

  /** Files by ids. Throws `not_found` for ids outside the access scope. */
  async require(scope: AccessScope, ids: string[]): Promise<StoredFile[]> {
    const wanted = new Set(ids);
    if (!wanted.size) return [];
    const found = await this.store.byIds(scope, [...wanted]);
    assertFound('File', wanted, found);
    return found;
  }

  /** A file as a whole, of any account. */
  async readWhole(
    id: string,
    maxBytes: number,
  ): Promise<{ filename: string; type: string; bytes: Buffer } | 'missing' | 'too_large'> {
    const [file] = await this.store.byIds(systemScope, [id]);
    if (!file) return 'missing';
    if (file.size > maxBytes) return 'too_large';
    // A store tells on reading that there are no contents.
    const read = this.files.read(contentsOf(file)).then(buffer);
    const bytes = await read.catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    });
    if (!bytes) return 'missing';
    return { filename: file.filename, type: file.type, bytes };
  }

  /** An address that gives a file, of any account, to anybody for `TICKET_SECONDS`. */
  async linkOf(id: string): Promise<string> {
    return `${this.config.publicUrl}${(await this.tickets.create(id)).url}`;
  }

  /** The media files of messages. Throws if a file has a wrong type or size for its field. */
  async requireMedia(scope: AccessScope, messages: MessageFiles[]): Promise<StoredFile[]> {
    const named = mediaIn(messages);
    const files = await this.require(
      scope,
      named.map(({ id }) => id),
    );
    assertMedia(named, files);
    return files;
  }

  /** Marks files as used, so that they no longer expire. Throws `not_found` if one was deleted. */
  async claim(ids: string[]): Promise<void> {
    if (!ids.length) return;
    await this.db.transaction(async () => {
      assertFound('File', ids, await this.store.hold(ids));
      for (const { id, OwnerId } of await this.store.stopExpiry(ids))
        this.events.changed('storage', 'updated', OwnerId, id);
    });
  }

  /** Deletes expired files. */
  async deleteExpired(): Promise<boolean> {
    const dropped = await this.store.dropExpired(DELETE_BATCH_SIZE);
    await this.removeContents(dropped);
    return dropped.length === DELETE_BATCH_SIZE;
  }

  /**
   * Deletes files without references among the next files after an id that were uploaded before a time. Returns the last
   * checked id, or null at the end.
   */
  async dropUnneeded(after: string, before: Date): Promise<string | null> {
    const { ids, last } = await this.db.transaction(() =>
      this.store.dropUnneeded(after, before, DELETE_BATCH_SIZE),
    );
    await this.removeContents(ids);
    return last;
  }

  /** Removes old contents without a row in one of 256 folders, left by a failed removal or a process that was killed. */
  async removeOrphans(folder: number, ageMs: number): Promise<void> {
    const ids = await this.files.storedIn(folder);
    for (const id of await this.store.unknown(ids)) await this.files.removeOlder(id, ageMs);
  }

  private async located(ids: string[]): Promise<LockedFile[]> {
    return this.store.withLocks(await this.store.byIds(systemScope, ids));
  }

  /** After a failure `removeOrphans` removes the contents. */
  private async removeContents(ids: string[]): Promise<void> {
    for (const id of ids) {
      await this.files
        .remove(id)
        .catch((error: unknown) =>
          this.log.warn({ err: error, id }, 'failed to remove the contents of a file'),
        );
    }
  }
}
