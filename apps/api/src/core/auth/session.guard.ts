import { Injectable } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { AppError } from '../errors.ts';
import { KeyUnavailable, type Claims } from './session.strategy.ts';

/**
 * Passport's guard with the errors of the contract. `EndpointGuard` runs it through `Authenticator`, because failed
 * authentications are counted by the rate limits; sockets run it on their handshake.
 */
@Injectable()
export class SessionGuard extends AuthGuard() {
  /** The claims of the session token in the `Authorization` header. */
  async claimsOf(request: Pick<Request, 'headers'>): Promise<Claims> {
    await this.canActivate(new ExecutionContextHost([request, {}]));
    return (request as { user?: unknown }).user as Claims;
  }

  override handleRequest<User>(error: unknown, claims: User | false, info: unknown): User {
    if (info instanceof KeyUnavailable) throw info.cause;
    if (error) throw error;
    if (!claims) throw new AppError('unauthorized');
    return claims;
  }
}
