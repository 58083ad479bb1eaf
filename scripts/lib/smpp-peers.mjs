import { join } from 'node:path';
import { Trouble } from './project.mjs';
import { debianTool } from './debian.mjs';
import { onPath } from './processes.mjs';

/**
 * Implementations of SMPP that are not ours, unpacked from this machine's packages: Kannel, and Perl's Net::SMPP. `perlLib` is the
 * folder of its modules.
 */
export async function smppPeers() {
  const perl = onPath('perl');
  const tool =
    perl &&
    (await debianTool('smpp-peers', {
      packages: ['kannel', 'kannel-extras', 'libnet-smpp-perl'],
      check: 'usr/sbin/bearerbox',
    }));
  if (!tool) {
    throw new Trouble('Tests against Kannel and Net::SMPP need Perl and the packages of Debian.');
  }
  return {
    perl,
    perlLib: join(tool.dir, 'usr/share/perl5'),
    bearerbox: join(tool.dir, 'usr/sbin/bearerbox'),
    smsbox: join(tool.dir, 'usr/sbin/smsbox'),
    env: tool.env,
  };
}
