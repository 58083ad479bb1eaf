import { beforeAll, describe, expect, test } from 'vitest';
import { cycles, importsOf, read, sourceFiles, type Import } from './import-graph.ts';

let files: string[];
let imports: Import[];

beforeAll(async () => {
  files = await sourceFiles();
  const known = new Set(files);
  imports = files.flatMap((file) => importsOf(file, known));
});

interface Rule {
  from: RegExp;
  /** What it may not import; groups of `from` are $1, $2. */
  never: string;
  except?: string;
}

/** Who may import whom (docs/architecture.md). A new feature changes nothing here. */
const RULES: Record<string, Rule> = {
  'the core knows no feature, no channel and nothing that composes them': {
    from: /^apps\/api\/src\/core\//,
    never: '^apps/api/src/(?!core/)',
  },
  'the AWS SDK is loaded by the driver for S3 alone': {
    from: /^(?!apps\/api\/src\/core\/files\/s3-)/,
    never: '^@aws-sdk/',
  },
  'exceljs unpacks no archive': {
    from: /^apps\/api\/src\//,
    never: '^exceljs$',
  },
  'the process that reads files of others loads no settings and no services': {
    from: /^apps\/api\/src\/core\/sheets\/reader\//,
    never:
      '^apps/api/(?!src/core/sheets/(reader/|encoding\\.ts|sheet\\.ts))|^(@heliograph|@nestjs|typeorm|pg)',
  },
  'a feature uses another through its service or module': {
    from: /^apps\/api\/src\/features\/([^/]+)\//,
    never: '^apps/api/src/features/(?!$1/)',
    except: '\\.(service|module)\\.ts$',
  },
  'a feature knows the interface of channels, not the drivers': {
    from: /^apps\/api\/src\/features\//,
    never: '^apps/api/src/channels/.+/',
  },
  'open channels are known to what submits, polls, and takes what they push': {
    from: /^apps\/api\/src\/(?!features\/(channels|wapi|push-devices)\/|features\/sendings\/(dispatch\/submit(-files)?|reports\/(poll|inbox))\.service)/,
    never: '^apps/api/src/features/channels/channel-connections\\.service\\.ts$',
  },
  'a feature does not know what composes it': {
    from: /^apps\/api\/src\/(features|channels)\//,
    never: '^apps/api/src/[^/]+$',
  },
  'a channel knows neither features nor the database': {
    from: /^apps\/api\/src\/channels\//,
    never: '^(apps/api/src/(features|core)/|typeorm$|pg$)',
    except: '^apps/api/src/core/(errors\\.ts|log\\.ts|time\\.ts|http/|auth/same-secret\\.ts)',
  },
  'a driver opens connections through the guard of addresses alone': {
    from: /^apps\/api\/src\/channels\/(?!.*\.test\.ts$)/,
    never: `^(node:)?(net|tls|dgram|dns|http|https|http2|child_process|worker_threads|cluster|vm|module)(/|$)|^(ws|nodemailer(/lib/(?!(dkim|mail-composer|smtp-connection)$).*)?|ioredis|socket\\.io.*)$`,
  },
  'a feature knows the interface of acquirers and their registry, not the drivers': {
    from: /^apps\/api\/src\/features\//,
    never: '^apps/api/src/acquirers/.+/',
    except: '^apps/api/src/acquirers/sandbox/signature\\.ts$',
  },
  'an acquirer knows neither features nor the database': {
    from: /^apps\/api\/src\/acquirers\//,
    never: '^(apps/api/src/(features|core)/|typeorm$|pg$)',
    except: '^apps/api/src/core/(log\\.ts|http/|auth/same-secret\\.ts)',
  },
  'an acquirer does not know another': {
    from: /^apps\/api\/src\/acquirers\/([^/]+)\//,
    never: '^apps/api/src/acquirers/(?!$1/).+/',
  },
  'a feature knows the interface of gateways, and what opens them': {
    from: /^apps\/api\/src\/features\//,
    never: '^apps/api/src/gateways/.+/',
    except: '\\.gateway\\.ts$',
  },
  'a gateway knows neither features nor the database': {
    from: /^apps\/api\/src\/gateways\//,
    never: '^(apps/api/src/(features|core|channels)/|typeorm$|pg$)',
    except: '^apps/api/src/core/(log\\.ts|http/)',
  },
  'a driver does not know another': {
    from: /^apps\/api\/src\/channels\/([^/]+)\//,
    never: '^apps/api/src/channels/(?!$1/).+/',
  },
  'typeorm stays in stores, entities, core/db and what opens the connection': {
    from: /^(?!.*\.(store|entity)\.ts$)(?!apps\/api\/src\/core\/(db\/|core\.module))(?!apps\/api\/src\/(app|cli)\.ts$)(?!migrations\/)/,
    never: '^typeorm$',
  },
  'the domain imports nothing of ours': {
    from: /^packages\/domain\//,
    never: '^(apps|packages/(?!domain/)|node:)',
  },
  'simulated parties import the domain and, for their protocols, SMPP and a server of mail': {
    from: /^packages\/simulators\/src\/(?!.*\.test\.ts$)/,
    never: '^(?!packages/(simulators|domain)/)',
    except: '^(packages/smpp/|node:(net|stream)$|smtp-server$)',
  },
  'the contract imports the domain and zod': {
    from: /^packages\/contract\//,
    never: '^(?!packages/(contract|domain)/|zod$)',
  },
  'the SMPP protocol imports the domain and Node': {
    from: /^packages\/smpp\//,
    never: '^(?!packages/(smpp|domain)/|node:)',
  },
  'the SMPP protocol opens no connection': {
    from: /^packages\/smpp\/src\/(?!.*\.test\.ts$)/,
    never: '^node:(net|tls|dgram|dns|https?2?)$',
  },
  'the core of the cabinet imports no other folder': {
    from: /^apps\/cabinet\/src\/core\//,
    never: '^apps/cabinet/src/(?!core/)',
  },
  'the ui of the cabinet imports the core alone': {
    from: /^apps\/cabinet\/src\/ui\//,
    never: '^apps/cabinet/src/(?!(core|ui)/)',
  },
  'the list kit of the cabinet imports the core and the ui alone': {
    from: /^apps\/cabinet\/src\/list\//,
    never: '^apps/cabinet/src/(?!(core|ui|list)/)',
  },
  'of the list kit, state imports neither filters nor grid': {
    from: /^(apps\/cabinet\/src\/list\/)state\//,
    never: '^$1(?!state/)',
  },
  'of the list kit, filters import the state alone': {
    from: /^(apps\/cabinet\/src\/list\/)filters\//,
    never: '^$1(?!(state|filters)/)',
  },
  'a feature of the cabinet does not import the shell': {
    from: /^apps\/cabinet\/src\/features\//,
    never: '^apps/cabinet/src/(?!(core|ui|list|features)/)',
  },
  'a feature of the cabinet shows another through its picker, its state, its section of a detail, its dialog, its meter or its calls':
    {
      from: /^apps\/cabinet\/src\/features\/([^/]+)\//,
      never: '^apps/cabinet/src/features/(?!$1/)',
      except: '(-(select|badge|bar|section|dialog|meter)\\.tsx|\\.api\\.ts)$',
    },
  'of the wizard, its form knows nothing else': {
    from: /^(apps\/cabinet\/src\/features\/send\/)form\//,
    never: '^$1(?!form/)',
  },
  'of the wizard, drafts and texts know its form alone': {
    from: /^(apps\/cabinet\/src\/features\/send\/)(draft|text)\//,
    never: '^$1(?!(form|$2)/)',
  },
  'of the wizard, what is attached knows its form and texts': {
    from: /^(apps\/cabinet\/src\/features\/send\/)media\//,
    never: '^$1(?!(form|text|media)/)',
  },
  'of the wizard, steps know nothing of drafts and of the page': {
    from: /^(apps\/cabinet\/src\/features\/send\/)steps\//,
    never: '^$1(?!(form|text|media|steps)/)',
  },
  'an application does not reach into another, but for the texts of the cabinet, which e-mails and chats share':
    {
      from: /^apps\/([^/]+)\//,
      never: '^apps/(?!$1/)',
      except: '^apps/cabinet/src/locales/',
    },
};

/** Steps of the engine by folder of features/sendings, each with the earlier steps that it imports. */
const SENDING_STEPS: Record<string, string[]> = {
  pricing: [],
  rules: ['pricing'],
  audience: ['pricing', 'rules'],
  intake: ['audience', 'pricing', 'rules'],
  reports: [],
  opens: ['reports'],
  dispatch: ['opens', 'pricing', 'reports', 'rules'],
  fallbacks: ['audience', 'dispatch', 'pricing', 'reports', 'rules'],
  queries: ['pricing'],
  persons: [],
};
const SENDINGS = 'apps/api/src/features/sendings/';
for (const [step, earlier] of Object.entries(SENDING_STEPS))
  RULES[`of the engine, ${step} imports ${earlier.join(', ') || 'no other step'}`] = {
    from: new RegExp(`^${SENDINGS}${step}/`),
    never: `^${SENDINGS}((?!(${[step, ...earlier].join('|')})/)[^/]+/|sendings\\.)`,
  };
RULES['of the engine, what all steps share imports no step but pricing'] = {
  from: new RegExp(`^${SENDINGS}(plan|priorities|refusals|routing|unnest|insert\\.store)\\.ts$`),
  never: `^${SENDINGS}((?!pricing/)[^/]+/|sendings\\.)`,
};

/** Files besides stores that may contain SQL: the core, which has no stores, and commands that seed a database. */
const SQL_FILES = /^apps\/api\/src\/(core\/|cli\.ts$|demo\.ts$)/;

/** Files of the API whose text matches, without those that may. */
function filesWith(pattern: RegExp, isAllowed: (file: string) => boolean): string[] {
  return files.filter(
    (file) => file.startsWith('apps/api/src/') && !isAllowed(file) && pattern.test(read(file)),
  );
}

function breaches({ from, never, except }: Rule): string[] {
  return imports
    .filter((edge) => {
      const match = from.exec(edge.from);
      if (!match) return false;
      const fill = (pattern: string) =>
        new RegExp(pattern.replace(/\$(\d)/g, (_, n: string) => match[Number(n)]!));
      return fill(never).test(edge.to) && !(except && fill(except).test(edge.to));
    })
    .map((edge) => `${edge.from} -> ${edge.to}`);
}

describe('imports', () => {
  test.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(breaches(rule)).toEqual([]);
  });

  test('every rule applies to some file', () => {
    const unused = Object.entries(RULES).filter(([, { from }]) => !files.some((f) => from.test(f)));
    expect(unused.map(([name]) => name)).toEqual([]);
    expect(imports.filter(({ to }) => to.startsWith('.'))).toEqual([]);
  });

  test('a step of the engine imports earlier steps only', () => {
    const steps = Object.keys(SENDING_STEPS);
    const later = Object.entries(SENDING_STEPS).filter(([step, imported]) =>
      imported.some((name) => steps.indexOf(name) >= steps.indexOf(step)),
    );
    expect(later).toEqual([]);
    const folders = files.flatMap((file) =>
      file.startsWith(SENDINGS) && file.slice(SENDINGS.length).includes('/')
        ? [file.slice(SENDINGS.length).split('/')[0]!]
        : [],
    );
    expect([...new Set(folders)].sort()).toEqual(steps.toSorted());
  });

  test('SQL lives in stores', () => {
    const statement = /\bdb\s*\.\s*(query|execute|queryUnprepared|manager)\b/;
    const isAllowed = (file: string) => file.endsWith('.store.ts') || SQL_FILES.test(file);
    expect(filesWith(statement, isAllowed)).toEqual([]);
  });

  test('billings alone writes the ledger', () => {
    const write = /\b(insert into billings|delete from billings|update (balances|billings))\b/i;
    const isAllowed = (file: string) => file.startsWith('apps/api/src/features/billings/');
    expect(filesWith(write, isAllowed)).toEqual([]);
  });

  test('stages, statuses and outcomes in SQL are named constants', () => {
    const column = String.raw`\b(stage|status|now_status|outcome|now_outcome|trigger)`;
    const operator = String.raw`(=|<>|<=?|>=?|not in|in|is (not )?distinct from)`;
    const literal = new RegExp(String.raw`${column}\s?${operator}\s?\(?\d`);
    const isAllowed = (file: string) => !file.startsWith('apps/api/src/features/');
    expect(filesWith(literal, isAllowed)).toEqual([]);
  });

  test('there are no circles', () => {
    expect(cycles(imports)).toEqual([]);
  });

  test('feature folders of the cabinet do not import one another in a circle', () => {
    const folder = (file: string) => /^apps\/cabinet\/src\/features\/[^/]+/.exec(file)?.[0];
    const folders = imports.flatMap(({ from, to }) => {
      const [own, other] = [folder(from), folder(to)];
      return own && other && own !== other ? [{ from: own, to: other, isType: false }] : [];
    });
    expect(folders.length).toBeGreaterThan(10);
    expect(cycles(folders)).toEqual([]);
  });

  test('applications have no barrels', () => {
    expect(files.filter((file) => /^apps\/.*\/index\.tsx?$/.test(file))).toEqual([]);
  });

  test('the API reads its environment in one place', () => {
    const readers = files.filter((file) => /\bprocess\.env\b/.test(read(file)));
    expect(readers.filter((file) => file.startsWith('apps/api/'))).toEqual([
      'apps/api/src/core/config.ts',
    ]);
  });

  test('drivers have no client that passes the guard of addresses', () => {
    const drivers = (file: string) =>
      !file.startsWith('apps/api/src/channels/') || file.endsWith('.test.ts');
    expect(
      filesWith(
        /\bfetch\(|\bnew (WebSocket|EventSource|XMLHttpRequest|Agent|Pool|Client)\(/,
        drivers,
      ),
    ).toEqual([]);
    expect(
      filesWith(/\b(eval|Function|require|createRequire|getBuiltinModule)\(|\bimport\(/, drivers),
    ).toEqual([]);
    // Requests of undici go to the agent of the guard.
    const calls = filesWith(/\brequest\(/, drivers).map((file) => read(file));
    expect(calls.length).toBeGreaterThan(0);
    for (const text of calls) {
      expect(text.match(/\brequest\(/g)).toHaveLength(text.match(/^ +dispatcher,$/gm)?.length ?? 0);
      expect(text).toMatch(/markBegin\(agent\)/);
    }
  });

  test('connections to Redis are opened in one place, which listens to their errors', () => {
    const openers = files.filter((file) => /\bnew Redis\(/.test(read(file)));
    expect(openers).toEqual(['apps/api/src/core/redis.ts']);
  });
});
