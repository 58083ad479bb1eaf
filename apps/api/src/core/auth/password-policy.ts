import { Injectable } from '@nestjs/common';
import type { FieldIssue } from '@heliograph/contract';
import { passwordError, type PasswordError } from '@heliograph/domain';
import { Config } from '../config.ts';
import { AppError, invalidFields } from '../errors.ts';
import { sentence } from '../http/sentences.ts';
import { hashPassword } from './passwords.ts';

const MESSAGES: Record<PasswordError, string> = {
  too_small: 'The password is too short',
  too_big: 'The password is too long',
  characters: 'The password may contain only Latin letters, digits and punctuation',
};

/** The rules for new passwords at registration, recovery and in the profile. */
@Injectable()
export class PasswordPolicy {
  private common?: Promise<ReadonlySet<string>>;

  constructor(private readonly config: Config) {}

  /** The rule that a new password breaks; `field` is its field in the request. */
  async fault(password: string, username: string, field = 'password'): Promise<FieldIssue | null> {
    const error = passwordError(password, this.config.passwordLimits);
    if (error) return { field, rule: error, message: sentence(MESSAGES[error]) };
    const lowercased = password.toLowerCase();
    this.common ??= loadCommon();
    if (lowercased === username.toLowerCase() || (await this.common).has(lowercased))
      return { field, rule: 'common', message: 'This password is too common.' };
    return null;
  }

  /** Validates and hashes a new password. Must not be called inside a transaction: hashing takes long. */
  async hash(password: string, username: string, field = 'password'): Promise<string> {
    const fault = await this.fault(password, username, field);
    if (fault) throw invalidFields([fault]);
    return hashPassword(password);
  }

  /** The refusal of a body, with what is wrong with the new password in it, unless that is among the errors already. */
  async completed(refusal: unknown, body: unknown, field: string): Promise<unknown> {
    const issues = refusal instanceof AppError ? refusal.detail.issues : undefined;
    const password = valueAt(body, field);
    if (!issues || typeof password !== 'string' || issues.some((one) => one.field === field))
      return refusal;
    const fault = await this.fault(password, '', field);
    return fault ? invalidFields([...issues, fault]) : refusal;
  }
}

const valueAt = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      body,
    );

/** The 49,000 most common passwords in lower case. Loaded lazily, since they take several megabytes. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
