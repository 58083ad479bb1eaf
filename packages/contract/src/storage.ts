import * as z from 'zod';
import { endpoint, ById, Removed } from './endpoint.ts';
import { Id, many, QueryBoolean, QueryToken, text, Time, trimmed } from './fields.ts';
import { listQuery, page, Scoped } from './list.ts';

/** 20 MB. */
export const MAX_FILE_SIZE = 20_971_520;

export const StoredFile = z.object({
  id: Id,
  /** The same as `id`: what clients put into `from.key`. */
  key: Id,
  title: z.string(),
  filename: z.string(),
  /** MIME type as sniffed from the bytes, else as declared. */
  type: z.string(),
  size: z.int(),
  hash: z.string(),
  /** Of audio: how long it plays, in started seconds. */
  seconds: z.int().nullable(),
  /**
   * What is known of the content: an image or a video has a size in pixels, a PDF pages, a sound or a video a duration in
   * started seconds.
   */
  meta: z.object({
    width: z.int().optional(),
    height: z.int().optional(),
    duration: z.int().optional(),
    pages: z.int().optional(),
  }),
  isPublic: z.boolean(),
  /** Where a public file is read without a session. Whoever knows the address has the file. */
  url: z.string().nullable(),
  expiredAt: Time.nullable(),
  locks: z.int(),
  OwnerId: Id,
  createdAt: Time,
  updatedAt: Time,
});
export type StoredFile = z.infer<typeof StoredFile>;

export const storage = {
  find: endpoint('GET', '/storage', {
    query: listQuery({
      order: ['createdAt', 'size', 'title'],
      filter: { type: many(text(100)), id: many(Id), OwnerId: Id },
      range: ['createdAt'],
      search: true,
      limit: 17,
    }),
    response: page(StoredFile),
    can: 'storage.get',
    owner: 'read',
  }),
  /** The bytes as an attachment, or with `return=meta` the entity. */
  get: endpoint('GET', '/storage/:id', {
    params: ById,
    query: Scoped,
    response: StoredFile,
    can: 'storage.get',
    download: true,
  }),
  create: endpoint('POST', '/storage', {
    query: z.object({ isPublic: QueryBoolean.optional(), token: QueryToken }),
    response: StoredFile,
    status: 201,
    can: 'storage.create',
    upload: true,
  }),
  /** The bytes of a public file, for anybody who has its address. */
  getPublic: endpoint('GET', '/storage/public/:key', {
    summary: 'Read a public file by its address',
    params: z.object({ key: text(100) }),
    response: StoredFile,
    can: 'public',
    cost: 'lookup',
    download: true,
  }),
  update: endpoint('PUT', '/storage/:id', {
    params: ById,
    /** A file that is no longer public loses its address; made public again it gets another. */
    body: z.strictObject({ title: trimmed(200).min(1), isPublic: z.boolean() }).partial(),
    response: StoredFile,
    can: 'storage.update',
    alias: 'PATCH',
  }),
  remove: endpoint('DELETE', '/storage/:id', {
    params: ById,
    response: Removed,
    can: 'storage.remove',
  }),
};
