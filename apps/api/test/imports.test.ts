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

/** Who may import whom (docs/architecture.md, section 2). A new feature changes nothing here. */
const RULES: Record<string, Rule> = {
  'the core knows no feature, no channel and nothing that composes them': {
    from: /^apps\/api\/src\/core\//,
    never: '^apps/api/src/(?!core/)',
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
  'a feature does not know what composes it': {
    from: /^apps\/api\/src\/(features|channels)\//,
    never: '^apps/api/src/[^/]+$',
  },
  'a channel knows neither features nor the database': {
    from: /^apps\/api\/src\/channels\//,
    never: '^(apps/api/src/(features|core)/|typeorm$|pg$)',
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
  'the contract imports the domain and zod': {
    from: /^packages\/contract\//,
    never: '^(?!packages/(contract|domain)/|zod$)',
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
  'a feature of the cabinet shows another through its picker, its state, its section of a detail or its calls':
    {
      from: /^apps\/cabinet\/src\/features\/([^/]+)\//,
      never: '^apps/cabinet/src/features/(?!$1/)',
      except: '(-(select|badge|bar|section)\\.tsx|\\.api\\.ts)$',
    },
  'of the wizard, its form knows nothing else': {
    from: /^(apps\/cabinet\/src\/features\/sendings\/send\/)form\//,
    never: '^$1(?!form/)',
  },
  'of the wizard, drafts and texts know its form alone': {
    from: /^(apps\/cabinet\/src\/features\/sendings\/send\/)(draft|text)\//,
    never: '^$1(?!(form|$2)/)',
  },
  'of the wizard, what is attached knows its form and texts': {
    from: /^(apps\/cabinet\/src\/features\/sendings\/send\/)media\//,
    never: '^$1(?!(form|text|media)/)',
  },
  'of the wizard, steps know nothing of drafts and of the page': {
    from: /^(apps\/cabinet\/src\/features\/sendings\/send\/)steps\//,
    never: '^$1(?!(form|text|media|steps)/)',
  },
  'an application does not reach into another': {
    from: /^apps\/([^/]+)\//,
    never: '^apps/(?!$1/)',
  },
};

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

  test('a rule is never about nothing', () => {
    const unused = Object.entries(RULES).filter(([, { from }]) => !files.some((f) => from.test(f)));
    expect(unused.map(([name]) => name)).toEqual([]);
    expect(imports.filter(({ to }) => to.startsWith('.'))).toEqual([]);
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

  test('connections to Redis are opened in one place, which listens to their errors', () => {
    const openers = files.filter((file) => /\bnew Redis\(/.test(read(file)));
    expect(openers).toEqual(['apps/api/src/core/redis.ts']);
  });
});
