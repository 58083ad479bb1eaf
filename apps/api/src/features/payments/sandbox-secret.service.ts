import { Injectable } from '@nestjs/common';
import { GeneratedSecrets } from '../../core/auth/generated-secrets.ts';
import { Config } from '../../core/config.ts';

/** The secret that the API and the sandbox share: configured, or generated once. */
@Injectable()
export class SandboxSecret {
  constructor(
    private readonly config: Config,
    private readonly secrets: GeneratedSecrets,
  ) {}

  async get(): Promise<string> {
    return this.config.PAYMENT_SANDBOX_SECRET ?? this.secrets.get('sandbox');
  }
}
