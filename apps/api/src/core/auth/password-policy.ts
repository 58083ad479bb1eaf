import { Injectable } from '@nestjs/common';
import { passwordError, type PasswordError } from '@heliograph/domain';
import { Config } from '../config.ts';
import { invalid } from '../errors.ts';
import { hashPassword } from './passwords.ts';

const MESSAGES: Record<PasswordError, string> = {
  too_small: 'The password is too short',
  too_big: 'The password is too long',
  characters: 'A password has Latin letters, digits and signs only',
};

/** What a new password must be, wherever one is set: at registration, by recovery, in the profile. */
@Injectable()
export class PasswordPolicy {
  private common?: Promise<ReadonlySet<string>>;

  constructor(private readonly config: Config) {}

  /** The hash of a new password of this user, or a refusal of the field `password`. Never called inside a transaction. */
  async hash(password: string, username: string): Promise<string> {
    const error = passwordError(password, this.config.passwordLimits);
    if (error) throw invalid('password', error, MESSAGES[error]);
    const spelled = password.toLowerCase();
    this.common ??= loadCommon();
    if (spelled === username.toLowerCase() || (await this.common).has(spelled))
      throw invalid('password', 'common', 'This password is among the first that are tried');
    return hashPassword(password);
  }
}

/** 49,000 passwords that people choose most, in lower case: some megabytes, for processes that ask. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
