import { Injectable } from '@nestjs/common';
import { passwordError, type PasswordError } from '@heliograph/domain';
import { Config } from '../config.ts';
import { invalid } from '../errors.ts';
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

  /** Validates and hashes a new password; `field` is its field in the request. Must not be called inside a transaction: hashing takes long. */
  async hash(password: string, username: string, field = 'password'): Promise<string> {
    const error = passwordError(password, this.config.passwordLimits);
    if (error) throw invalid(field, error, MESSAGES[error]);
    const lowercased = password.toLowerCase();
    this.common ??= loadCommon();
    if (lowercased === username.toLowerCase() || (await this.common).has(lowercased))
      throw invalid(field, 'common', 'This password is too common');
    return hashPassword(password);
  }
}

/** The 49,000 most common passwords in lower case. Loaded lazily, since they take several megabytes. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
