import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AuthModuleOptions } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import * as z from 'zod';
import { SessionKey } from './session-key.ts';

/** Claims are validated although they are signed: a key may have leaked. */
const Claims = z.object({ sub: z.guid(), sid: z.guid() });
export type Claims = z.infer<typeof Claims>;

/** passport-jwt reports a key that cannot be loaded like an invalid token; this tells them apart. */
export class KeyUnavailable extends Error {}

/**
 * The JWT strategy of this application. Passport's registry is global to the process, and tests run several applications
 * in one, so each application registers the strategy under a name of its own (`defaultStrategy`).
 */
@Injectable()
export class SessionStrategy implements OnApplicationShutdown {
  private readonly name: string;

  constructor(key: SessionKey, { defaultStrategy }: AuthModuleOptions) {
    this.name = defaultStrategy as string;
    const strategy = new Strategy(
      {
        jwtFromRequest: ({ headers }: Request) => headerToken(headers.authorization),
        // The algorithm is not taken from the token.
        algorithms: ['HS256'],
        secretOrKeyProvider: (_request, token: string, done) => {
          key.of(token).then(
            (found) =>
              found
                ? // The types allow only strings and buffers.
                  done(null, found.parsed as unknown as Buffer)
                : done(new Error('unknown key')),
            (cause: unknown) => done(new KeyUnavailable('session key', { cause })),
          );
        },
      },
      (claims: unknown, done) => done(null, Claims.safeParse(claims).data ?? false),
    );
    passport.use(this.name, strategy);
  }

  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }
}

/** The token of an `Authorization` header, raw or after `Bearer`. */
export function headerToken(header: string | undefined): string | null {
  return header?.replace(/^Bearer\s+/i, '').trim() || null;
}
